-- description: /bookmark remembers places of the conversation and goes back to their words

-- A command with subcommands and a completion. The bookmarks lie in `api.state`, so they outlive
-- `/reload`; they are gone when fen ends.

local USAGE = "add NAME | show NAME | list"

local function text_of(message)
  if type(message.content) == "string" then
    return message.content
  end
  local parts = {}
  for _, block in ipairs(message.content) do
    if block.type == "text" then
      parts[#parts + 1] = block.text
    end
  end
  return table.concat(parts, "\n")
end

local function names_of(marks)
  local names = {}
  for name in pairs(marks) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

return function(api)
  api.state.marks = api.state.marks or {}
  local marks = api.state.marks

  local function say(text)
    api.emit({ type = "info", info = text })
  end

  local actions = {}

  function actions.add(name, ctx)
    -- `ctx.messages` is a view of the live conversation; each message is made when it is looked at.
    local last = ctx.messages[#ctx.messages]
    if name == "" then
      error("give the bookmark a name: /bookmark add NAME", 0)
    elseif not last then
      error("there is nothing to remember yet", 0)
    end
    marks[name] = { index = #ctx.messages, text = text_of(last) }
    say(("bookmark %s is at message %d"):format(name, #ctx.messages))
  end

  function actions.show(name)
    local mark = marks[name]
    if not mark then
      error(("there is no bookmark `%s`"):format(name), 0)
    end
    say(("%s, message %d: %s"):format(name, mark.index, mark.text))
  end

  function actions.list()
    local names = names_of(marks)
    say(#names > 0 and table.concat(names, ", ") or "there are no bookmarks")
  end

  api.register("command", {
    name = "bookmark",
    description = "Remember a place of the conversation",
    usage = USAGE,
    handler = function(args, ctx)
      local verb, rest = args:match("^(%S*)%s*(.-)$")
      local action = actions[verb == "" and "list" or verb]
      if not action then
        -- Level 0 leaves the file and line out: this is for whoever typed the line.
        error(("`%s` is none of %s"):format(verb, USAGE), 0)
      end
      action(rest, ctx)
    end,
    -- It gets what stands after the name so far. A `value` takes the place of all of that.
    complete = function(prefix)
      local offers = {}
      local function offer(value, description)
        if value:sub(1, #prefix) == prefix then
          offers[#offers + 1] = { label = value, value = value, description = description }
        end
      end
      offer("add ", "remember the last message")
      offer("list", "all bookmarks")
      for _, name in ipairs(names_of(marks)) do
        offer("show " .. name, "message " .. marks[name].index)
      end
      return offers
    end,
  })
end
