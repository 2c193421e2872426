-- Lists, sequences, symbols and `...` as macros see them, and the functions of the compiler's
-- environment that need nothing from the host. It gets Lua's own functions, since macros may
-- replace theirs.
local native, env = ...

local type, tostring, error, rawget, rawset = type, tostring, error, rawget, rawset
local getmetatable, setmetatable, pairs = getmetatable, setmetatable, pairs
local find, gmatch, kind_of = string.find, string.gmatch, math.type
local pack, unpack, concat = table.pack, table.unpack, table.concat
local view, remember, new_name = native.view, native.remember, native.gensym

local SYMBOL, LIST, VARARG, MARK = { "SYMBOL" }, { "LIST" }, { "VARARG" }, { "SEQUENCE" }

local function mark_of(value)
  return type(value) == "table" and getmetatable(value)
end

local function is_symbol(value)
  return mark_of(value) == SYMBOL
end

local function name_of(symbol)
  return rawget(symbol, 1)
end

SYMBOL.__tostring = name_of
SYMBOL.__fennelview = name_of
VARARG.__tostring = name_of
VARARG.__fennelview = name_of

function SYMBOL.__eq(a, b)
  return is_symbol(a) and is_symbol(b) and name_of(a) == name_of(b)
end

function SYMBOL.__lt(a, b)
  return tostring(a) < tostring(b)
end

function SYMBOL.__le(a, b)
  return tostring(a) <= tostring(b)
end

local function last_index(list)
  local last = 0
  for key in pairs(list) do
    if kind_of(key) == "integer" and key > last then
      last = key
    end
  end
  return last
end

function LIST.__fennelview(list, show, options, indent)
  local last = last_index(list)
  if last > 100000 + 2 * #list then
    error("a list with a large gap cannot be shown", 0)
  end
  local safe, parts = {}, {}
  for key, value in pairs(options or {}) do
    safe[key] = value
  end
  for i = 1, last do
    parts[i] = (show or view)(rawget(list, i), safe, indent)
  end
  return "(" .. concat(parts, " ") .. ")"
end

function LIST.__tostring(list)
  return view(list)
end

local function sequence_view(sequence, show, options, indent)
  local safe = {}
  for key, value in pairs(options or {}) do
    safe[key] = value
  end
  safe["empty-as-sequence?"] = { once = true, after = safe["empty-as-sequence?"] }
  safe["metamethod?"] = { once = false, after = safe["metamethod?"] }
  return (show or view)(sequence, safe, indent)
end

-- Whoever has a value can reach its mark, and a finalizer would run where nothing can stop it.
local function marked(object, mark)
  rawset(mark, "__gc", nil)
  return setmetatable(object, mark)
end

local function new_sequence(sequence)
  return setmetatable(sequence, { sequence = MARK, __fennelview = sequence_view })
end

local function symbol(name, source)
  if type(name) ~= "string" then
    error("sym expects a string as the first argument, received " .. type(name), 2)
  end
  local made = {}
  if type(source) == "table" then
    for key, value in pairs(source) do
      if type(key) == "string" then
        made[key] = value
      end
    end
  end
  made[1] = name
  return marked(made, SYMBOL)
end

env.sym = symbol

function env._quoted(name, place)
  return marked({ name, quoted = place }, SYMBOL)
end

function env.list(...)
  return marked({ ... }, LIST)
end

function env.sequence(...)
  return new_sequence({ ... })
end

local vararg = setmetatable({ "..." }, VARARG)
env._VARARG = vararg

function env.varg()
  return vararg
end

env["list?"] = function(value)
  return mark_of(value) == LIST and value
end

env["sym?"] = function(value, name)
  return is_symbol(value) and (name == nil or name_of(value) == name) and value
end

env["varg?"] = function(value)
  return mark_of(value) == VARARG and value
end

env["sequence?"] = function(value)
  local mark = mark_of(value)
  return type(mark) == "table" and rawget(mark, "sequence") == MARK and value
end

env["table?"] = function(value)
  local mark = mark_of(value)
  return type(value) == "table" and mark ~= LIST and mark ~= SYMBOL and mark ~= VARARG and value
end

env["comment?"] = function()
  return false
end

env["multi-sym?"] = function(value)
  local name = value
  if is_symbol(value) then
    name = name_of(value)
  end
  if type(name) ~= "string" then
    return false
  elseif not find(name, "[.:]") then
    return nil
  elseif find(name, "%.%.") or find(name, "::") or find(name, "^[.:]") or find(name, "[.:]$") then
    return false
  end
  local parts = {}
  for part in gmatch(name, "[^.:]+") do
    parts[#parts + 1] = part
  end
  if find(name, "[^.]:") then
    parts["multi-sym-method-call"] = true
  end
  return parts
end

env.gensym = function(base)
  if is_symbol(base) then
    base = name_of(base)
  elseif base ~= nil and type(base) ~= "string" then
    error("gensym expects a string or a symbol, received " .. type(base), 2)
  end
  return symbol(new_name(base))
end

env["assert-compile"] = function(condition, message, form)
  if not condition then
    message = tostring(message)
    remember(message, form)
    error(message, 0)
  end
  return condition
end

env["ast-source"] = function(form)
  local mark = mark_of(form)
  if not mark then
    return {}
  elseif mark == SYMBOL or mark == LIST or mark == VARARG then
    return form
  end
  return type(mark) == "table" and mark or {}
end

env["in-scope?"] = function(value)
  if not is_symbol(value) then
    error("in-scope? expects a symbol, received " .. type(value), 2)
  end
  return native.in_scope(name_of(value)) and value or nil
end

env.macroexpand, env["get-scope"] = native.macroexpand, native.scope
env.view = view
env.pack, env.unpack = pack, unpack

return SYMBOL, LIST, VARARG, MARK, sequence_view, vararg
