-- description: A tool that counts the words, lines and bytes of a text or a file
-- capabilities: fs

-- The smallest useful kind of extension: one tool, which the model calls by its name. The schema is
-- all that the model knows of the arguments, and fen has checked them against it before `execute`
-- is called.

local function counted(text)
  local _, words = text:gsub("%S+", "")
  local _, lines = text:gsub("\n", "")
  return ("%d words, %d lines, %d bytes"):format(words, lines, #text)
end

-- A result that tells the model what to do better. Throwing would work too, but it would also be
-- reported to the person as a fault of the extension.
local function refused(words)
  return { content = { { type = "text", text = words } }, ["is-error?"] = true }
end

return function(api)
  api.register("tool", {
    name = "word_count",
    label = "count words",
    description = "Count the words, lines and bytes of `text`, or of the file at `path`.",
    parameters = {
      type = "object",
      properties = {
        text = { type = "string", description = "The text itself" },
        path = { type = "string", description = "A file, relative to the working directory" },
      },
    },
    -- It changes nothing, so several calls of one answer may run side by side.
    ["parallel-safe?"] = true,
    execute = function(args)
      if args.text then
        return counted(args.text)
      elseif not args.path then
        return refused("Give `text` or `path`.")
      end
      -- Whatever can fail gives a table with `ok`; its `error` is fit to be read.
      local read = api.fs.read(args.path, { ["max-bytes"] = 16 * 1024 * 1024 })
      if not read.ok then
        return refused(read.error)
      elseif read["truncated?"] then
        return refused(args.path .. " is larger than 16 MiB.")
      end
      return counted(read.text)
    end,
  })
end
