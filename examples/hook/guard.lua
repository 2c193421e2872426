-- description: Asks before commands that delete, and keeps file tools inside the project
-- hooks: before-tool

-- A hook looks at each tool call before it runs. It is a seat belt, not a wall: what a shell command
-- does cannot be known by reading it. The line `hooks:` above matters: should this file fail to
-- load, fen then runs no tool at all instead of running them unguarded.

-- Patterns of commands that somebody should have seen first, and what they do.
local RISKY = {
  { "%f[%w]rm%s+%-%a*[rRf]", "deletes without asking" },
  { "%f[%w]git%s+reset%s+%-%-hard", "throws changes away" },
  { "%f[%w]git%s+clean%s+%-%a*f", "deletes files that git does not know" },
  { "%f[%w]git%s+push%s.*%-%-force", "overwrites what others have" },
  { "%f[%w]mkfs", "erases a disk" },
  { "%f[%w]dd%s.*of=", "overwrites a file or a disk" },
}

-- The tools that change files, and the argument that says which.
local WRITERS = { write = "path", edit = "path" }

-- The path without `.` and `..`, by its words alone; nil where it climbs above the root.
local function normal(path)
  local parts = {}
  for part in path:gmatch("[^/]+") do
    if part == ".." then
      if #parts == 0 then
        return nil
      end
      parts[#parts] = nil
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return "/" .. table.concat(parts, "/")
end

local function is_inside(path, folder)
  if path:sub(1, 1) == "~" then
    return false
  elseif path:sub(1, 1) ~= "/" then
    path = folder .. "/" .. path
  end
  path, folder = normal(path), normal(folder)
  return path == folder or (path ~= nil and path:sub(1, #folder + 1) == folder .. "/")
end

local function risk(command)
  for _, known in ipairs(RISKY) do
    if command:find(known[1]) then
      return known[2]
    end
  end
end

return function(api)
  -- Commands that the person agreed to for as long as fen runs.
  api.state.agreed = api.state.agreed or {}

  local function ask(command, why)
    if api.state.agreed[command] then
      return nil
    end
    -- Without somebody to ask, `select` says so on standard error and gives nil: a refusal.
    local answer = api.ui.select({
      title = ("The agent wants to run a command that %s:\n%s"):format(why, command),
      choices = {
        { label = "No", value = "no" },
        { label = "Yes, once", value = "once" },
        { label = "Yes, and this very command again", value = "again" },
      },
    })
    if answer == "again" then
      api.state.agreed[command] = true
    end
    if answer == "once" or answer == "again" then
      return nil
    end
    return { block = true, reason = ("The person did not agree: it %s."):format(why) }
  end

  api.register("hook", {
    ["before-tool"] = function(tool, args, ctx)
      if tool == "bash" then
        local why = risk(args.command)
        if why then
          return ask(args.command, why)
        end
      end
      local path = args[WRITERS[tool] or ""]
      if path and not is_inside(path, ctx.cwd) then
        return {
          block = true,
          reason = ("%s is outside of the project %s; work inside it."):format(path, ctx.cwd),
        }
      end
    end,
  })
end
