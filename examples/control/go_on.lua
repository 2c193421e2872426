-- description: ctrl-g tells the agent to go on, without typing it

-- A key. It does what typing "Go on." would do: it begins a turn, or steers the one under way.

return function(api)
  api.register("control", {
    name = "go-on",
    key = "ctrl-g",
    description = "Tell the agent to go on",
    handler = function(ctx)
      local submitted = api.turn["submit!"](ctx, "Go on.", { ["when-busy"] = "steering" })
      if not submitted.ok then
        api.ui.notify("not sent: " .. submitted.error)
      elseif submitted.queued then
        api.ui.notify("the agent hears it as soon as it can")
      end
    end,
  })
end
