-- Global functions of Lua whose own versions could not be stopped or reach too far.
local native = ...

local error, type, tostring, rawget, pcall = error, type, tostring, rawget, pcall
local select, concat = select, table.concat

-- The error of a wrong argument, at the line that called the function which calls this.
local function bad(position, name, expected, value)
  local words = "bad argument #%d to '%s' (%s expected, got %s)"
  local kind = value == nil and "no value" or type(value)
  error(words:format(position, name, expected, kind), 3)
end
native.bad = bad

-- Level 2 is the caller of the host function, since `wrap` makes these tail calls.
local function check(ok, ...)
  if ok then
    return ...
  end
  error((...), 2)
end

function native.wrap(raw)
  return function(...)
    return check(raw(...))
  end
end

do
  local setmetatable, getmetatable = setmetatable, getmetatable
  -- A finalizer would run where nothing limits it.
  _G.setmetatable = function(object, metatable)
    if type(object) ~= "table" then
      bad(1, "setmetatable", "table", object)
    elseif metatable ~= nil and type(metatable) ~= "table" then
      bad(2, "setmetatable", "nil or table", metatable)
    elseif metatable and rawget(metatable, "__gc") ~= nil then
      error("a metatable with '__gc' is not available here", 2)
    end
    return setmetatable(object, metatable)
  end

  _G.getmetatable = function(object)
    if type(object) ~= "table" then
      error("Illegal metatable access!", 2)
    end
    return getmetatable(object)
  end
end

-- Lua's own runs the handler where the limit on time does not hold.
do
  local function settle(handler, ok, ...)
    if ok then
      return true, ...
    end
    return false, handler(...)
  end

  _G.xpcall = function(f, handler, ...)
    if type(handler) ~= "function" then
      bad(2, "xpcall", "function", handler)
    end
    return settle(handler, pcall(f, ...))
  end
end

do
  local print_line = native.wrap(native.print)
  _G.print = function(...)
    local words = { ... }
    for i = 1, select("#", ...) do
      words[i] = tostring(words[i])
    end
    print_line(concat(words, "\t"))
  end
end

-- Coroutines: none begins once the time is over, and what died is not closed, which would run code
-- where the limit on time does not hold.
do
  local co, expired = coroutine, native.expired
  local create, resume, close, status = co.create, co.resume, co.close, co.status

  function co.create(f)
    if type(f) ~= "function" then
      bad(1, "create", "function", f)
    elseif expired() then
      error("the time is over", 2)
    end
    return create(f)
  end

  local function unwrap(ok, ...)
    if ok then
      return ...
    end
    error((...), 0)
  end

  function co.wrap(f)
    if type(f) ~= "function" then
      bad(1, "wrap", "function", f)
    end
    local thread = co.create(f)
    return function(...)
      return unwrap(resume(thread, ...))
    end
  end

  function co.close(thread)
    if type(thread) ~= "thread" then
      bad(1, "close", "thread", thread)
    elseif status(thread) == "suspended" then
      return close(thread)
    elseif status(thread) ~= "dead" then
      error("cannot close a " .. status(thread) .. " coroutine", 2)
    end
    return true
  end
end

_G.load, _G.loadfile, _G.dofile, _G.collectgarbage, _G.warn = nil, nil, nil, nil, nil
