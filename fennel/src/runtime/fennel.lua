-- The module `fennel` as a program sees it, on top of the host's half. A native answers `true` and
-- its results, or `false` and the words of an error.
local native, version = ...

local error, type, tostring, setmetatable = error, type, tostring, setmetatable
local ipairs, pairs, select = ipairs, pairs, select
local pack, unpack, concat = table.pack, table.unpack, table.concat
local byte, char, format, find, gsub = string.byte, string.char, string.format, string.find, string.gsub

local function answered(ok, ...)
  if not ok then
    error((...), 0)
  end
  return ...
end

-- Refuses an argument of another type, at the line of the caller's caller.
local function expect(name, index, wanted, value, optional)
  if type(value) ~= wanted and not (optional and value == nil) then
    local words = "bad argument #%d to '%s' (%s expected, got %s)"
    error(format(words, index, name, wanted, value == nil and "no value" or type(value)), 3)
  end
end

local fennel = { version = version, path = "./?.fnl;./?/init.fnl" }
fennel["macro-path"] = "./?.fnlm;./?/init.fnlm;./?.fnl;./?/init-macros.fnl;./?/init.fnl"
fennel.macroPath = fennel["macro-path"]
fennel["macro-searchers"] = {}
fennel["runtime-version"] = function()
  return "Fennel " .. version .. " on " .. tostring(_VERSION)
end
fennel.runtimeVersion = fennel["runtime-version"]

function fennel.view(value, options)
  return answered(native.view(value, options))
end

-- Code as data.

for name, value in pairs(native.forms) do
  if find(name, "^_") == nil then
    fennel[name] = value
  end
end

fennel["sym-char?"] = function(c)
  if type(c) == "number" then
    c = char(c)
  end
  return type(c) == "string" and #c == 1 and find(c, "[^%c%s()%[%]{}\"'~;,@`]") ~= nil
end

-- Gives the forms of a text one after the other: true and a form each time, then nil. What is wrong
-- with the text is raised behind the forms before it.
function fennel.parser(source, filename)
  if type(source) == "function" then
    local parts = {}
    for i = 1, 1 << 24 do
      local part = source()
      if part == nil or part == "" then
        break
      end
      parts[i] = type(part) == "number" and char(part) or part
    end
    source = concat(parts)
  end
  if type(filename) == "table" then
    filename = filename.filename
  end
  expect("parser", 1, "string", source)
  local forms, mistake = answered(native.read(source, filename))
  local index = 0
  return function()
    index = index + 1
    local form = forms[index]
    if form ~= nil then
      return true, form
    elseif mistake then
      local words = mistake
      mistake = nil
      error(words, 0)
    end
    return nil
  end
end

-- Compiling and running.

function fennel.eval(source, options, ...)
  expect("eval", 1, "string", source)
  expect("eval", 2, "table", options, true)
  return answered(native.load_fennel(source, options))(...)
end

fennel["compile-string"] = function(source, options)
  expect("compile-string", 1, "string", source)
  expect("compile-string", 2, "table", options, true)
  -- As a text for elsewhere it may name any global, unless it is told which.
  local all = { allowedGlobals = false }
  for key, value in pairs(options or {}) do
    all[key] = value
  end
  return answered(native.compile(source, all))
end
fennel.compileString = fennel["compile-string"]

function fennel.compile(source, options)
  if type(source) == "function" then
    local text = {}
    for _, form in fennel.parser(source) do
      text[#text + 1] = answered(native.text_of(form))
    end
    source = concat(text, "\n")
  elseif type(source) == "table" then
    source = answered(native.text_of(source))
  end
  return fennel["compile-string"](source, options)
end

fennel["load-code"] = function(code, env, filename)
  return answered(native.load_lua(code, { env = env, filename = filename }))
end
fennel.loadCode = fennel["load-code"]

function fennel.dofile(path, options, ...)
  expect("dofile", 1, "string", path)
  expect("dofile", 2, "table", options, true)
  return answered(native.load_file(path, options))(...)
end

fennel["search-module"] = function(name, path)
  if path ~= nil and not find(path, "?.fnl", 1, true) and not find(path, "?.lua", 1, true) then
    local words = "no file for module %s in %s: a path names files such as ./?.fnl or ./?.lua"
    return nil, format(words, tostring(name), tostring(path))
  end
  local file = answered(native.find(name))
  if file == nil then
    return nil, "no file for module " .. tostring(name)
  end
  return file
end
fennel.searchModule = fennel["search-module"]

fennel["make-searcher"] = function(options)
  return function(name)
    local loader, file = answered(native.load_module(name, options))
    if loader == nil then
      return "no file for module " .. tostring(name)
    end
    return loader, file
  end
end
fennel.makeSearcher = fennel["make-searcher"]
fennel.searcher = fennel["make-searcher"]()

function fennel.install()
  local package = package
  if type(package) == "table" and type(package.searchers) == "table" then
    for _, searcher in ipairs(package.searchers) do
      if searcher == fennel.searcher then
        return fennel
      end
    end
    package.searchers[#package.searchers + 1] = fennel.searcher
  end
  return fennel
end

-- What functions say about themselves.

local about = setmetatable({}, { __mode = "k" })
fennel.metadata = {}

function fennel.metadata:get(value, key)
  if key == nil then
    return about[value]
  end
  return about[value] and about[value][key]
end

function fennel.metadata:set(value, key, data)
  about[value] = about[value] or {}
  about[value][key] = data
end

function fennel.metadata:setall(value, ...)
  for i = 1, select("#", ...), 2 do
    local key, data = select(i, ...)
    self:set(value, key, data)
  end
  return value
end

function fennel.doc(value, name)
  local known = about[value]
  if known == nil then
    return format("#<undocumented> %s", tostring(name))
  end
  local list = concat(known["fnl/arglist"] or { "#<unknown-arguments>" }, " ")
  local text = gsub(known["fnl/docstring"] or "#<undocumented>", "\n", "\n  ")
  local head = list == "" and format("(%s)", name) or format("(%s %s)", name, list)
  return head .. "\n  " .. text
end

function fennel.syntax()
  local all = answered(native.syntax())
  for name in pairs(_G) do
    if type(name) == "string" and all[name] == nil then
      all[name] = { ["global?"] = true }
    end
  end
  return all
end

function fennel.traceback(message, start)
  if type(debug) == "table" and debug.traceback then
    return debug.traceback(tostring(message or ""), (start or 1) + 1)
  end
  return tostring(message or "")
end

return fennel
