-- description: The time of day in the status row

-- What a status item says is asked for after events. Nothing happens when a minute passes, so a
-- timer makes it happen; a timer ends by itself when the extension is reloaded or unloaded.

return function(api)
  local shown

  api.register("status", {
    name = "clock",
    side = "right",
    order = 90,
    render = function()
      shown = os.date("%H:%M")
      return { text = shown, style = "dim" }
    end,
  })

  api.timer.every(1000, function()
    -- Only when there is something new to see: each redraw asks all panels and items.
    if shown ~= os.date("%H:%M") then
      api.emit({ type = "redraw" })
    end
  end)
end
