-- The pattern functions on the host's own matcher, whose work is bounded.
local native = ...

local error, type, sub = error, type, string.sub
local concat, whole = table.concat, math.tointeger
local wrap, step, bad = native.wrap, native.step, native.bad

-- Level 3 is the caller of the function that calls this.
local function check(ok, ...)
  if ok then
    return ...
  end
  error((...), 3)
end

local function is_text(value)
  return type(value) == "string" or type(value) == "number"
end

string.dump = nil
string.find, string.match = wrap(native.find), wrap(native.match)
string.rep = wrap(native.rep)

function string.gmatch(subject, pattern, init)
  if not is_text(subject) then
    bad(1, "gmatch", "string", subject)
  elseif not is_text(pattern) then
    bad(2, "gmatch", "string", pattern)
  end
  subject, pattern = subject .. "", pattern .. ""
  local at, last = check(native.start(subject, init)), 0
  local function advance(from, to, ...)
    if from then
      at, last = to, to
      return ...
    end
    at = #subject + 2
  end
  return function()
    return advance(check(step(subject, pattern, at, last, false, false)))
  end
end

local gsub = wrap(native.gsub)

function string.gsub(subject, pattern, replacement, limit)
  local kind = type(replacement)
  if not is_text(subject) then
    bad(1, "gsub", "string", subject)
  elseif not is_text(pattern) then
    bad(2, "gsub", "string", pattern)
  elseif kind ~= "function" and kind ~= "table" then
    if not is_text(replacement) then
      bad(3, "gsub", "string/function/table", replacement)
    end
    return gsub(subject, pattern, replacement, limit)
  end
  subject, pattern = subject .. "", pattern .. ""
  local most = limit == nil and #subject + 1 or whole(limit)
  if not most then
    bad(4, "gsub", "number", limit)
  end
  local anchored = sub(pattern, 1, 1) == "^"
  if anchored then
    pattern = sub(pattern, 2)
  end
  local function value(from, to, first, ...)
    if not from then
      return nil
    elseif kind == "function" then
      return from, to, (replacement(first, ...))
    end
    return from, to, replacement[first]
  end
  local pieces, n, count, at, last = {}, 0, 0, 1, 0
  while count < most do
    local from, to, new = value(check(step(subject, pattern, at, last, anchored, kind == "table")))
    if not from then
      break
    end
    count = count + 1
    if not new then
      new = sub(subject, from, to - 1)
    elseif not is_text(new) then
      error(("invalid replacement value (a %s)"):format(type(new)), 2)
    end
    pieces[n + 1], pieces[n + 2], n = sub(subject, at, from - 1), new, n + 2
    at, last = to, to
    if anchored then
      break
    end
  end
  pieces[n + 1] = sub(subject, at)
  return concat(pieces), count
end
