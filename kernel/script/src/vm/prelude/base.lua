-- Global functions of Lua whose own versions could not be stopped, and the two wrappers that turn
-- the answers of host functions into results, errors and waits.
local native = ...

local error, type, select, tostring, rawget = error, type, select, tostring, rawget
local concat = table.concat
local yield, isyieldable = coroutine.yield, coroutine.isyieldable
local poll, forget, pending = native.poll, native.forget, native.pending
local timed, running = native.timed, coroutine.running

-- Coroutines that are suspended by the host: nobody but who resumed them may go on with them.
local waiting = setmetatable({}, { __mode = "k" })
native.waiting = waiting

-- Level 2 is the caller of the host function, since both wrappers call these as tail calls.
local function check(ok, ...)
  if ok then
    return ...
  end
  error((...), 2)
end

local function settle(ok, ...)
  if ok then
    return ...
  elseif ok == false then
    error((...), 2)
  elseif not isyieldable() then
    forget()
    error("cannot wait here", 2)
  end
  local thread = running()
  waiting[thread] = true
  yield(pending)
  waiting[thread] = nil
  return settle(poll())
end

function native.wrap(raw)
  return function(...)
    return check(raw(...))
  end
end

function native.wrap_async(raw)
  return function(...)
    return settle(raw(...))
  end
end

-- The error of a wrong argument, at the line that called the function which calls this. Lua's own
-- checks would name neither: between them and the caller stands a function of this prelude.
local function bad(position, name, expected, value)
  local words = "bad argument #%d to '%s' (%s expected, got %s)"
  local kind = value == nil and "no value" or type(value)
  error(words:format(position, name, expected, kind), 3)
end
native.bad = bad

do
  local setmetatable = setmetatable
  _G.setmetatable = function(object, metatable)
    if type(object) ~= "table" then
      bad(1, "setmetatable", "table", object)
    elseif metatable == nil or type(metatable) ~= "table" then
      if metatable ~= nil then
        bad(2, "setmetatable", "nil or table", metatable)
      end
    elseif rawget(metatable, "__gc") ~= nil then
      error("a metatable with '__gc' is not available here", 2)
    end
    return setmetatable(object, metatable)
  end
end

do
  local xpcall, guard = xpcall, native.guard
  _G.xpcall = function(f, handler, ...)
    if type(handler) ~= "function" then
      bad(2, "xpcall", "function", handler)
    end
    return xpcall(f, guard(handler), ...)
  end
end

do
  local load, limit = timed(load), native.source_limit
  local too_long = "the source is longer than " .. limit .. " bytes"
  local function gather(reader)
    local pieces, size = {}, 0
    while true do
      local piece = reader()
      if piece == nil or piece == "" then
        return concat(pieces)
      elseif type(piece) ~= "string" then
        return nil, "reader function must return a string"
      end
      size = size + #piece
      if size > limit then
        return nil, too_long
      end
      pieces[#pieces + 1] = piece
    end
  end

  _G.load = function(chunk, name, mode, ...)
    if type(mode) == "string" and not mode:find("t", 1, true) then
      return nil, "attempt to load a text chunk (mode is '" .. mode .. "')"
    end
    if type(chunk) ~= "string" and type(chunk) ~= "function" then
      bad(1, "load", "string or function", chunk)
    elseif type(chunk) == "function" then
      local message
      chunk, message = gather(chunk)
      if not chunk then
        return nil, message
      end
      name = name or "=(load)"
    end
    if #chunk > limit then
      return nil, too_long
    end
    if select("#", ...) > 0 then
      return load(chunk, name, "t", (...))
    end
    return load(chunk, name, "t")
  end
end

do
  local collectgarbage = timed(collectgarbage)
  local allowed = { collect = true, count = true, step = true, isrunning = true }
  _G.collectgarbage = function(option)
    option = option or "collect"
    if not allowed[option] then
      error("collectgarbage('" .. tostring(option) .. "') is not available here", 2)
    end
    return collectgarbage(option)
  end
end

do
  local print_line = native.print
  _G.print = function(...)
    local words = { ... }
    for i = 1, select("#", ...) do
      words[i] = tostring(words[i])
    end
    print_line(concat(words, "\t"))
  end
end

_G.tonumber = timed(tonumber)
_G.dofile, _G.loadfile, _G.warn = nil, nil, nil

do
  local date = timed(os.date)
  os = { time = os.time, clock = os.clock, difftime = os.difftime }
  os.date = function(format, ...)
    if type(format) == "string" and #format > 1000 then
      error("bad argument #1 to 'date' (the format is longer than 1000 bytes)", 2)
    end
    return date(format, ...)
  end
end

for _, name in ipairs({ "char", "codepoint", "len", "offset" }) do
  utf8[name] = timed(utf8[name])
end
