-- A session backend: `fen --session json-lines` keeps conversations beside the project they are
-- about. One file for each, one JSON object a line: first what the session is, then what happened.
--
-- A line is added in one piece and never changed, so that a file that was cut off by a crash has lost
-- its last line at the most.

local FOLDER = ".fen-sessions"
local LARGEST = 16 * 1024 * 1024

return function(api)
  local json = api.json

  local function line(value)
    return json.encode(value) .. "\n"
  end

  -- The objects of a file, in order; nil and the words for why not.
  local function objects(path)
    local read = api.fs.read(path, { ["max-bytes"] = LARGEST })
    if not read.ok then
      return nil, read.error
    elseif read["truncated?"] then
      return nil, path .. " is larger than 16 MiB"
    end
    local found = {}
    for text in read.text:gmatch("[^\n]+") do
      local ok, object = pcall(json.decode, text)
      if ok and type(object) == "table" then
        found[#found + 1] = object
      end
    end
    if not (found[1] and found[1].type == "session") then
      return nil, path .. " is no session"
    end
    return found
  end

  -- What is known of a session without its messages.
  local function described(path, found)
    local head = found[1]
    local info = {
      id = head.id,
      path = path,
      cwd = head.cwd,
      timestamp = head.timestamp,
      ["message-count"] = 0,
    }
    for _, object in ipairs(found) do
      if object.type == "message" then
        info["message-count"] = info["message-count"] + 1
      elseif object.type == "title" then
        info.title = object.title
      end
    end
    return info
  end

  local function fits(info, opts)
    return (not opts.cwd or info.cwd == opts.cwd)
      and (not opts.id or info.id:sub(1, #opts.id) == opts.id)
      and (not opts.text or (info.title or ""):lower():find(opts.text:lower(), 1, true) ~= nil)
  end

  -- Newest first.
  local function list(opts)
    local listed = api.fs.list(FOLDER)
    if not listed.ok then
      if listed.kind == "not-found" then
        return {}
      end
      error(listed.error, 0)
    end
    local infos = {}
    for _, entry in ipairs(listed.entries) do
      if entry.type == "file" and entry.name:match("%.jsonl$") then
        local path = FOLDER .. "/" .. entry.name
        -- One that cannot be read hides no other.
        local found = objects(path)
        local info = found and described(path, found)
        if info and fits(info, opts) then
          infos[#infos + 1] = info
        end
      end
    end
    table.sort(infos, function(a, b)
      if a.timestamp ~= b.timestamp then
        return a.timestamp > b.timestamp
      end
      return a.id > b.id
    end)
    return infos
  end

  api.register("session-backend", {
    name = "json-lines",

    -- What this gives is handed back to the functions below as `session`. fen reads `info` of it.
    open = function(opts)
      -- A folder that is there already is no failure that matters; writing will tell.
      api.fs.mkdir(FOLDER)
      local id = os.date("!%Y%m%d-%H%M%S") .. ("-%06x"):format(math.random(0, 0xffffff))
      local info = {
        id = id,
        path = FOLDER .. "/" .. id .. ".jsonl",
        cwd = opts.cwd,
        timestamp = os.time() * 1000,
      }
      local head = { type = "session", id = id, cwd = info.cwd, timestamp = info.timestamp }
      local written = api.fs.write(info.path, line(head))
      if not written.ok then
        error(written.error, 0)
      end
      return { info = info, path = info.path }
    end,

    ["open-existing"] = function(path)
      local found, problem = objects(path)
      if not found then
        error(problem, 0)
      end
      return { info = described(path, found), path = path }
    end,

    -- An answer with `ok = false` counts as a failure, so that of `fs` can be given as it is.
    append = function(session, message)
      return api.fs.append(session.path, line({ type = "message", message = message }))
    end,

    ["rename!"] = function(session, title)
      return api.fs.append(session.path, line({ type = "title", title = title }))
    end,

    -- What is neither a message nor a title, such as the state that extensions keep in a session.
    ["append-entry"] = function(session, entry)
      return api.fs.append(session.path, line({ type = "entry", entry = entry }))
    end,

    ["load-entries"] = function(path)
      local found, problem = objects(path)
      if not found then
        error(problem, 0)
      end
      local entries = {}
      for _, object in ipairs(found) do
        if object.type == "entry" then
          entries[#entries + 1] = object.entry
        end
      end
      return entries
    end,

    load = function(path)
      local found, problem = objects(path)
      if not found then
        error(problem, 0)
      end
      local messages = {}
      for _, object in ipairs(found) do
        if object.type == "message" then
          messages[#messages + 1] = object.message
        end
      end
      return messages
    end,

    ["delete!"] = function(path)
      return api.fs.remove(path)
    end,

    -- Each append has written its line; nothing is held open.
    close = function() end,

    find = list,
    list = list,
    latest = function(opts)
      return list(opts)[1]
    end,
  })
end
