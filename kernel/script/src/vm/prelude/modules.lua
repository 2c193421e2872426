-- `require`, written in Lua so that the body of a module may wait.
local native = ...

local error, type, pcall = error, type, pcall
local concat, remove = table.concat, table.remove
local find, run_id, is_running = native.find_module, native.run_id, native.is_running
local loaded, order = native.loaded, {}

package = { loaded = loaded }

local function place(name)
  for i = 1, #order do
    if order[i].name == name then
      return i
    end
  end
end

local function refuse(at, name)
  local names = {}
  for i = at, #order do
    names[#names + 1] = order[i].name
  end
  names[#names + 1] = name
  error("cyclic require: " .. concat(names, " -> "), 3)
end

function require(name)
  if type(name) ~= "string" then
    error("bad argument #1 to 'require' (string expected, got " .. type(name) .. ")", 2)
  end
  local value = loaded[name]
  if value ~= nil then
    return value
  end
  local run = run_id()
  local at = place(name)
  if at and order[at].run == run then
    refuse(at, name)
  elseif at and is_running(order[at].run) then
    error("module '" .. name .. "' is being loaded by another call", 2)
  elseif at then
    -- The call that loaded it was ended.
    remove(order, at)
  end
  local found, chunk, file = find(name)
  if not found then
    error(chunk, 2)
  end
  local entry = { name = name, run = run }
  order[#order + 1] = entry
  local ok, result = pcall(chunk, name, file)
  for i = #order, 1, -1 do
    if order[i] == entry then
      remove(order, i)
    end
  end
  if not ok then
    error(result, 0)
  end
  if result == nil then
    result = loaded[name]
  end
  if result == nil then
    result = true
  end
  loaded[name] = result
  return result, file
end
