-- Coroutines of the script's own: waits and preemption pass outward through them, level by level,
-- unseen by the script; what the script yields itself goes to whoever resumed.
local native = ...

local error, type, select, bad = error, type, select, native.bad
local co = coroutine
local create, resume, close, status = co.create, co.resume, co.close, co.status
local yield, isyieldable = co.yield, co.isyieldable
local preempted, poisoned, doomed = native.preempted, native.poisoned, native.doomed
local waiting = native.waiting
local forget, pending, paused, sentinel =
  native.forget, native.pending, native.paused, native.sentinel

local BUSY = "cannot resume a coroutine that is waiting"

local function outward(thread, token)
  waiting[thread] = true
  yield(token)
  waiting[thread] = nil
end

local function after(thread, ok, ...)
  local first = ...
  if not ok then
    return ok, ...
  elseif first == pending then
    if not isyieldable() then
      waiting[thread] = true
      forget()
      return false, "cannot wait here"
    end
    outward(thread, pending)
    return after(thread, resume(thread))
  elseif first == paused or (select("#", ...) == 0 and preempted(thread)) then
    if isyieldable() then
      outward(thread, paused)
    elseif doomed() then
      error(sentinel, 0)
    end
    return after(thread, resume(thread))
  end
  return ok, ...
end

function co.resume(thread, ...)
  if type(thread) ~= "thread" then
    bad(1, "resume", "thread", thread)
  elseif waiting[thread] or preempted(thread) then
    return false, BUSY
  end
  return after(thread, resume(thread, ...))
end

local function rethrow(thread, problem)
  if status(thread) == "dead" and not poisoned(thread) then
    local closed, other = close(thread)
    if not closed then
      problem = other
    end
  end
  error(problem, 0)
end

local function unwrap(thread, ok, ...)
  if ok then
    return ...
  end
  return rethrow(thread, ...)
end

function co.wrap(f)
  if type(f) ~= "function" then
    bad(1, "wrap", "function", f)
  end
  local thread = create(f)
  return function(...)
    if waiting[thread] then
      error(BUSY, 2)
    end
    return unwrap(thread, after(thread, resume(thread, ...)))
  end
end

function co.close(thread)
  if type(thread) ~= "thread" then
    bad(1, "close", "thread", thread)
  elseif waiting[thread] or preempted(thread) or status(thread) == "running" or status(thread) == "normal" then
    error("cannot close a coroutine that is running or waiting", 2)
  elseif poisoned(thread) then
    return false, "the coroutine was ended by the host"
  end
  return close(thread)
end

function co.status(thread)
  if type(thread) ~= "thread" then
    bad(1, "status", "thread", thread)
  elseif waiting[thread] then
    return "normal"
  end
  return status(thread)
end
