-- The extension NAME: one tool for the model, and one command for you.
--
-- An extension gives a function that gets `api`, all that it can do. To reach files, programs, the
-- network or the environment, name it under "capabilities" in manifest.json: "fs", "process",
-- "http", "env".

local function count(text)
  local _, words = text:gsub("%S+", "")
  return words
end

return function(api)
  -- The model calls a tool with arguments that fit `parameters`. A text is a complete result; an
  -- error that is raised here becomes an error result.
  api.register("tool", {
    name = "TOOL",
    description = "Count the words of a text",
    parameters = {
      type = "object",
      properties = { text = { type = "string", description = "The text to count in" } },
      required = { "text" },
    },
    execute = function(args)
      return ("%d words"):format(count(args.text))
    end,
  })

  -- You type a command: /COMMAND some words. `args` is what follows its name.
  api.register("command", {
    name = "COMMAND",
    description = "Count the words of a text",
    usage = "<text>",
    handler = function(args)
      api.emit({ type = "info", info = ("%d words"):format(count(args)) })
    end,
  })
end
