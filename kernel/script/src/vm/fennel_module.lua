-- What `require("fennel")` gives. Code runs in the caller's own coroutine, so that it may wait.
local native = ...
local error, type = error, type

local function checked(value, problem)
  if problem then
    error(problem, 0)
  end
  return value
end

local function expect(text, options, name)
  if type(text) ~= "string" then
    error("bad argument #1 to '" .. name .. "' (string expected, got " .. type(text) .. ")", 3)
  elseif options ~= nil and type(options) ~= "table" then
    error("bad argument #2 to '" .. name .. "' (table expected, got " .. type(options) .. ")", 3)
  end
end

local module = { version = native.version, view = native.view }

function module.eval(text, options, ...)
  expect(text, options, "eval")
  return checked(native.load(text, options))(...)
end

function module.dofile(file, options, ...)
  expect(file, options, "dofile")
  return checked(native.open(file, options))(...)
end

function module.compileString(text, options)
  expect(text, options, "compileString")
  return checked(native.compile(text, options))
end

module["compile-string"] = module.compileString

return module
