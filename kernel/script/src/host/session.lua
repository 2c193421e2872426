-- The module `fennel` of a session: how values look, and what is known of functions.
local view = ...

local about = setmetatable({}, { __mode = "k" })
local metadata = {}

function metadata:get(value, key)
  local kept = about[value]
  if kept then return kept[key] end
end

function metadata:set(value, key, fact)
  local kept = about[value] or {}
  about[value] = kept
  kept[key] = fact
  return value
end

function metadata:setall(value, ...)
  for index = 1, select("#", ...), 2 do
    local key, fact = select(index, ...)
    self:set(value, key, fact)
  end
  return value
end

local function doc(value, name)
  if value == nil then return name .. " not found" end
  local text = metadata:get(value, "fnl/docstring") or "#<undocumented>"
  local head = name
  if type(value) == "function" then
    local parameters = metadata:get(value, "fnl/arglist") or { "#<unknown-arguments>" }
    head = "(" .. table.concat({ name, table.unpack(parameters) }, " ") .. ")"
  end
  return head .. "\n  " .. text:gsub("\n", "\n  ")
end

return { view = view, metadata = metadata, doc = doc }
