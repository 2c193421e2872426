-- description: Counts words, number NUMBER
local limits = { longest = 40, shown = 10 }
local function words(text)
  local out = {}
  for word in text:gmatch("%a+") do
    if #word <= limits.longest then out[#out + 1] = word:lower() end
  end
  return out
end
local function counted(text)
  local counts = {}
  for _, word in ipairs(words(text)) do counts[word] = 1 + (counts[word] or 0) end
  return counts
end
local function ranked(counts)
  local names = {}
  for name in pairs(counts) do names[#names + 1] = name end
  table.sort(names, function(a, b)
    if counts[a] == counts[b] then return a < b end
    return counts[a] > counts[b]
  end)
  return names
end
local function report(text)
  local counts, lines = counted(text), {}
  for index, name in ipairs(ranked(counts)) do
    if index > limits.shown then break end
    table.insert(lines, name .. ": " .. counts[name])
  end
  return table.concat(lines, "\n")
end
local function execute(args)
  if args.text == "" then
    return { content = { { type = "text", text = "no words" } }, ["is-error?"] = true }
  end
  return report(args.text)
end
return function(api)
  api.register("tool", { name = "count_words_NUMBER", description = "Count the words of a text", parameters = { type = "object", properties = { text = { type = "string" } }, required = { "text" } }, execute = execute })
end
