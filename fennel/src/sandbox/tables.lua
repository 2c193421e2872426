-- The table library. Lua's own versions serve plain tables, where the work is bounded by what is
-- there; a table with a metatable, and a comparison function, are served by loops in Lua, which
-- the host can end.
local native = ...

local error, type, select, getmetatable = error, type, select, getmetatable
local sortable, bad = native.sortable, native.bad
local whole, kind_of = math.tointeger, math.type
local insert, remove, concat = table.insert, table.remove, table.concat
local move, sort = table.move, table.sort

-- A table of fewer parts is worth Lua's own loop, which nothing ends. A length that memory does not
-- account for is possible: `#` may answer any border.
local SHORT = 4000000

local function length(object)
  local n = #object
  if kind_of(n) ~= "integer" then
    error("object length is not an integer", 3)
  end
  return n
end

function table.insert(object, ...)
  if type(object) ~= "table" then
    bad(1, "insert", "table", object)
  end
  local n, last = select("#", ...), length(object) + 1
  if n == 1 then
    object[last] = (...)
    return
  elseif n ~= 2 then
    error("wrong number of arguments to 'insert'", 2)
  end
  local at, value = ...
  local position = whole(at)
  if not position then
    bad(2, "insert", "number", at)
  elseif position < 1 or position > last then
    error("bad argument #2 to 'insert' (position out of bounds)", 2)
  elseif getmetatable(object) == nil and last < SHORT then
    return insert(object, position, value)
  end
  for i = last, position + 1, -1 do
    object[i] = object[i - 1]
  end
  object[position] = value
end

function table.remove(object, ...)
  if type(object) ~= "table" then
    bad(1, "remove", "table", object)
  end
  local size = length(object)
  local position = size
  if select("#", ...) > 0 then
    position = whole((...))
    if not position then
      bad(2, "remove", "number", (...))
    elseif size + 1 ~= position and (position < 1 or position > size + 1) and not (size == 0 and position == 0) then
      error("bad argument #2 to 'remove' (position out of bounds)", 2)
    end
  end
  if getmetatable(object) == nil and size < SHORT then
    return remove(object, position)
  end
  local value = object[position]
  for i = position, size - 1 do
    object[i] = object[i + 1]
  end
  if position <= size then
    object[size] = nil
  end
  return value
end

function table.concat(object, separator, first, last)
  if type(object) ~= "table" then
    bad(1, "concat", "table", object)
  elseif getmetatable(object) == nil then
    return concat(object, separator, first, last)
  end
  local from, to = whole(first or 1), last == nil and length(object) or whole(last)
  if not from then
    bad(3, "concat", "number", first)
  elseif not to then
    bad(4, "concat", "number", last)
  end
  local pieces, n = {}, 0
  for i = from, to do
    local piece = object[i]
    if type(piece) ~= "string" and type(piece) ~= "number" then
      error(("invalid value (%s) at index %d in table for 'concat'"):format(type(piece), i), 2)
    end
    n = n + 1
    pieces[n] = piece
  end
  return concat(pieces, separator)
end

function table.move(source, first, last, target, destination)
  if type(source) ~= "table" then
    bad(1, "move", "table", source)
  elseif destination ~= nil and type(destination) ~= "table" then
    bad(5, "move", "table", destination)
  end
  local from, to, at = whole(first), whole(last), whole(target)
  if not (from and to and at) then
    local position = not from and 2 or not to and 3 or 4
    bad(position, "move", "number", (select(position - 1, first, last, target)))
  end
  destination = destination or source
  if to < from then
    return destination
  elseif not (from > 0 or to < math.maxinteger + from) then
    error("bad argument #3 to 'move' (too many elements to move)", 2)
  elseif at > math.maxinteger - (to - from + 1) + 1 then
    error("bad argument #4 to 'move' (destination wrap around)", 2)
  elseif
    to - from < 10000
    and getmetatable(source) == nil
    and getmetatable(destination) == nil
  then
    return move(source, from, to, at, destination)
  end
  if at > to or at <= from or destination ~= source then
    for i = 0, to - from do
      destination[at + i] = source[from + i]
    end
  else
    for i = to - from, 0, -1 do
      destination[at + i] = source[from + i]
    end
  end
  return destination
end

local function less(a, b)
  return a < b
end

local basic = { number = true, string = true }

-- Raises the error of `<` in the caller's name, where it is sure to come.
local function comparable(items, n)
  local first = items[1]
  local kind = type(first)
  local custom = not basic[kind] and getmetatable(first) ~= nil
  for i = 2, n do
    local item = items[i]
    local this = type(item)
    if
      not custom
      and not (this == kind and basic[this])
      and (basic[this] or getmetatable(item) == nil)
    then
      local words = this == kind and ("attempt to compare two %s values"):format(this)
        or ("attempt to compare %s with %s"):format(kind, this)
      error(words, 3)
    end
  end
end

-- Merge sort, bottom up: `n log n` comparisons whatever the comparison function answers.
local function merge_sort(items, n, before)
  local spare, width = {}, 1
  while width < n do
    local at = 1
    while at <= n do
      local left, middle, right = at, at + width, at + 2 * width
      local left_end = middle > n + 1 and n + 1 or middle
      local right_end = right > n + 1 and n + 1 or right
      local out, other = left, left_end
      while left < left_end and other < right_end do
        if before(items[other], items[left]) then
          spare[out], other = items[other], other + 1
        else
          spare[out], left = items[left], left + 1
        end
        out = out + 1
      end
      for i = left, left_end - 1 do
        spare[out], out = items[i], out + 1
      end
      for i = other, right_end - 1 do
        spare[out], out = items[i], out + 1
      end
      at = right
    end
    items, spare, width = spare, items, width * 2
  end
  return items
end

function table.sort(object, before)
  if type(object) ~= "table" then
    bad(1, "sort", "table", object)
  elseif before == nil then
    if sortable(object) then
      return sort(object)
    end
  elseif type(before) ~= "function" then
    bad(2, "sort", "function", before)
  end
  local n = length(object)
  if n >= 2147483647 then
    error("bad argument #1 to 'sort' (array too big)", 2)
  end
  local items = {}
  for i = 1, n do
    items[i] = object[i]
  end
  if before == nil then
    comparable(items, n)
  end
  items = merge_sort(items, n, before or less)
  for i = 1, n do
    object[i] = items[i]
  end
end

