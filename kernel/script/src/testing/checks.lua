-- The checks of `t`. Each raises its error at the line of the test that made it.
local t, native = ...
local error, pcall, type, tostring, find = error, pcall, type, tostring, string.find

local function fail(note, words)
  error(note and (tostring(note) .. ": " .. words) or words, 3)
end

function t.eq(got, expected, note)
  local difference = native.difference(got, expected)
  if difference then
    fail(note, difference)
  end
end

function t.ok(value, note)
  if not value then
    fail(note, "expected something that is neither false nor nil, got " .. tostring(value))
  end
  return value
end

function t.matches(text, pattern, note)
  if type(text) ~= "string" or not find(text, pattern) then
    fail(note, ("expected a text that matches %q, got %s"):format(pattern, native.named(text)))
  end
end

function t.contains(text, piece, note)
  if type(text) ~= "string" or not find(text, piece, 1, true) then
    fail(note, ("expected a text with %q in it, got %s"):format(piece, native.named(text)))
  end
end

function t.fails(work, pattern)
  local ok, problem = pcall(work)
  if ok then
    fail(nil, "expected an error, and there was none")
  end
  problem = tostring(problem)
  if pattern and not find(problem, pattern) then
    fail(nil, ("expected an error that matches %q, got %s"):format(pattern, problem))
  end
  return problem
end
