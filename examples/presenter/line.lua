-- description: A presenter of lines, with the status items above the prompt
-- presenter: line

-- The whole user interface in one loop: read a line, hand it on, write down what happens until the
-- turn is over. `presenter:` above makes it the one that an interactive run uses unless a flag or a
-- setting names another.

-- What is written for an event; whatever is not here is passed over. The final `assistant-text`
-- comes with every provider; a presenter that wants the words as they come takes the deltas.
local SHOWN = {
  ["assistant-text"] = function(event)
    return event.text
  end,
  ["tool-call"] = function(event)
    local call = event["tool-call"]
    return ("* %s"):format(call.name)
  end,
  ["tool-result"] = function(event)
    return event.result.is_error and "* it failed" or nil
  end,
  info = function(event)
    return event.info or event.text
  end,
  error = function(event)
    return "error: " .. event.error
  end,
  ["extension-error"] = function(event)
    return ("error: extension %s: %s"):format(event.owner or "?", event.error)
  end,
}

local function status_line(ctx)
  local words = {}
  for _, item in ipairs(ctx.status({ width = 80, height = 24 })) do
    words[#words + 1] = item.text
  end
  return table.concat(words, " | ")
end

return function(api)
  -- Questions of commands, hooks and other extensions come here while the loop waits for an event.
  local asking
  local ui = {}

  function ui.notify(text)
    asking.write("* " .. text .. "\n")
  end

  function ui.prompt(question)
    return asking["read-line"](question.text .. " ")
  end

  function ui.select(choice)
    asking.write(choice.title .. "\n")
    for number, one in ipairs(choice.choices) do
      asking.write(("  %d. %s\n"):format(number, one.label))
    end
    local number = tonumber(asking["read-line"]("number: "))
    local chosen = number and choice.choices[number]
    return chosen and chosen.value
  end

  local function show(ctx, event)
    local shown = SHOWN[event.type]
    local text = shown and shown(event)
    if text then
      ctx.write(text .. "\n")
    end
  end

  -- Writes down the turn that is under way, if one is, and all that happened besides; false once
  -- the run is ending.
  local function catch_up(ctx)
    while ctx["busy?"]() do
      repeat
        -- nil comes at the end of the run.
        local event = ctx["next-event"]()
        if not event then
          return false
        end
        show(ctx, event)
      until event.type == "agent-turn-complete"
    end
    -- What a command had to say is here by now.
    local event = ctx["try-next-event"]()
    while event do
      show(ctx, event)
      event = ctx["try-next-event"]()
    end
    return not ctx["ending?"]()
  end

  api.register("presenter", {
    name = "line",
    ui = ui,
    init = function(ctx)
      asking = ctx
    end,
    run = function(ctx)
      local line = ctx.prompt
      repeat
        if not line then
          local status = status_line(ctx)
          line = ctx["read-line"]((status ~= "" and status .. "\n" or "") .. "> ")
        end
        if not line then
          -- The end of the input.
          return
        end
        -- Why a command failed comes as an event too; only what was not taken at all does not.
        ctx.submit(line)
        line = nil
      until not catch_up(ctx)
    end,
  })
end
