-- description: Tells the model and /extensions how many turns, calls and tokens the run has taken

-- Handlers count what goes by; the snapshot only hands the numbers out, since it has to answer at
-- once. The model reads it with the tool agent_state, scripts with api.introspect.collect.

return function(api)
  local counts = api.state
  for _, name in ipairs({ "turns", "failed", "tool_calls", "tool_errors", "input", "output" }) do
    counts[name] = counts[name] or 0
  end

  local function add(name, amount)
    counts[name] = counts[name] + (amount or 0)
  end

  api.on("agent-turn-complete", function(event)
    add("turns", 1)
    if event.status == "error" then
      add("failed", 1)
    end
  end)

  api.on("tool-result", function(event)
    add("tool_calls", 1)
    -- The contract's own name is `is-error?`; the spelling with `_` works for every such name.
    if event.result.is_error then
      add("tool_errors", 1)
    end
  end)

  api.on("llm-end", function(event)
    local usage = event.message.usage
    if usage then
      add("input", usage.input)
      add("output", usage.output)
    end
  end)

  api.register("introspect", {
    name = "turns",
    description = "What this run has taken so far",
    snapshot = function()
      return {
        turns = { done = counts.turns, failed = counts.failed },
        ["tool-calls"] = { done = counts.tool_calls, failed = counts.tool_errors },
        tokens = { input = counts.input, output = counts.output },
      }
    end,
  })
end
