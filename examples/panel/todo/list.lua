-- A to-do list: a table of items `{text, state}`, changed in place.

local list = {}

-- Does what `args` say; gives true, or nil and what is wrong with them.
function list.change(items, args)
  if args.action == "add" then
    if not args.text or args.text == "" then
      return nil, "`add` needs `text`."
    end
    items[#items + 1] = { text = args.text, state = "open" }
  elseif args.action == "done" then
    local item = items[args.item or 0]
    if not item then
      return nil, ("`done` needs `item`, from 1 to %d."):format(#items)
    end
    item.state = "done"
  elseif args.action == "clear" then
    for number = #items, 1, -1 do
      items[number] = nil
    end
  end
  return true
end

-- How many are not done yet.
function list.open(items)
  local count = 0
  for _, item in ipairs(items) do
    if item.state == "open" then
      count = count + 1
    end
  end
  return count
end

-- The list as text, a line for each item.
function list.text(items, marks)
  if #items == 0 then
    return "The list is empty."
  end
  local lines = {}
  for number, item in ipairs(items) do
    lines[number] = ("%d. %s %s"):format(number, marks[item.state], item.text)
  end
  return table.concat(lines, "\n")
end

return list
