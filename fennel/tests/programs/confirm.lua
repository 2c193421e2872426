-- Runs the programs of this folder with the reference compiler of Fennel and
-- says where it deviates from what the files promise.
--
--     lua5.4 confirm.lua [PATH_TO_fennel.lua] [FILE.txt ...]
--
-- Without files, all *.txt files beside this script are read. The reference is
-- Debian's package `fennel` (1.6), or the `fennel.lua` named as first argument.
-- This script is for whoever writes programs; it is not part of the test run.
--
-- Prints one block per mismatch and a last line "N passed, N failed"; exits
-- with 1 if a program failed. Programs with a section `differs` are skipped.
-- The line of a run-time error is not compared: the reference only knows it
-- when it emits Lua line by line.

local SECONDS = 10 -- a program that takes longer is stopped

-- Paths and arguments ------------------------------------------------------

local function file_exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

local function read_file(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

local function quoted(path)
  return "'" .. path:gsub("'", "'\\''") .. "'"
end

local function find_reference(named)
  local candidates = {
    named,
    "/usr/share/lua/5.4/fennel.lua",
    "/usr/share/lua/5.3/fennel.lua",
    "/usr/share/lua/5.1/fennel.lua",
    package.searchpath("fennel", package.path),
  }
  for i = 1, 5 do
    if candidates[i] and file_exists(candidates[i]) then return candidates[i] end
  end
  error("no fennel.lua found: install Debian's package `fennel` or name a path", 0)
end

local function files_beside(script)
  local folder = script:match("^(.*)/[^/]*$") or "."
  local names = {}
  local listing = assert(io.popen("ls " .. quoted(folder)))
  for name in listing:lines() do
    if name:match("%.txt$") then names[#names + 1] = folder .. "/" .. name end
  end
  listing:close()
  return names
end

-- The format ---------------------------------------------------------------

local function without_blank_end(lines)
  while #lines > 0 and lines[#lines]:match("^%s*$") do lines[#lines] = nil end
  return lines
end

-- Programs of a file: { title, line, text, sections = { gives = lines, ... },
-- position = { raises = "3", refuses = "3" }, files = { [name] = text } }
local function parse_programs(path)
  local programs, titles = {}, {}
  local program, section
  local number = 0
  for line in (read_file(path) .. "\n"):gmatch("([^\n]*)\n") do
    number = number + 1
    local title = line:match("^== (.*)$")
    local kind, rest = line:match("^%-%- (%S+)%s*(.-)%s*$")
    if title then
      if titles[title] then
        error(("%s:%d: title used twice: %s"):format(path, number, title), 0)
      end
      titles[title] = true
      section = {}
      program = { title = title, line = number, main = section, sections = {}, position = {}, files = {} }
      programs[#programs + 1] = program
    elseif kind and not program then
      error(("%s:%d: section before the first program"):format(path, number), 0)
    elseif kind == "file" then
      section = {}
      program.files[rest] = section
    elseif kind == "gives" or kind == "prints" or kind == "refuses" or kind == "raises" or kind == "differs" then
      section = {}
      program.sections[kind] = section
      program.position[kind] = rest
    elseif kind then
      error(("%s:%d: unknown section: %s"):format(path, number, line), 0)
    elseif section then
      section[#section + 1] = line
    end
  end
  for _, each in ipairs(programs) do
    each.text = table.concat(without_blank_end(each.main), "\n") .. "\n"
    for _, lines in pairs(each.sections) do without_blank_end(lines) end
    for name, lines in pairs(each.files) do
      each.files[name] = table.concat(without_blank_end(lines), "\n") .. "\n"
    end
  end
  return programs
end

-- Rendering of values ------------------------------------------------------

local ESCAPES = { ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r", ["\\"] = "\\\\", ['"'] = '\\"' }

local function render_string(text)
  local body = text:gsub('[%c\\"]', function(byte)
    return ESCAPES[byte] or ("\\%03d"):format(byte:byte())
  end)
  return '"' .. body .. '"'
end

local function render_number(number)
  if math.type(number) == "integer" then return ("%d"):format(number) end
  if number ~= number then return "nan" end
  return tostring(number)
end

local RANK = { number = 1, string = 2, boolean = 3 }

local function key_before(a, b)
  local rank_a, rank_b = RANK[type(a)] or 4, RANK[type(b)] or 4
  if rank_a ~= rank_b then return rank_a < rank_b end
  if rank_a <= 2 then return a < b end
  return tostring(a) < tostring(b)
end

local function render(value, path, depth)
  local kind = type(value)
  if kind == "nil" or kind == "boolean" then return tostring(value) end
  if kind == "number" then return render_number(value) end
  if kind == "string" then return render_string(value) end
  if kind ~= "table" then return "#<" .. kind .. ">" end
  path, depth = path or {}, depth or 1
  if path[value] or depth > 8 then return "…" end
  path[value] = true
  local keys, parts = {}, {}
  for key in next, value do keys[#keys + 1] = key end
  local sequence = #keys > 0
  for index = 1, #keys do
    if rawget(value, index) == nil then sequence = false end
  end
  if sequence then
    for index = 1, #keys do parts[index] = render(rawget(value, index), path, depth + 1) end
  else
    table.sort(keys, key_before)
    for _, key in ipairs(keys) do
      parts[#parts + 1] = render(key, path, depth + 1) .. " " .. render(rawget(value, key), path, depth + 1)
    end
  end
  path[value] = nil
  local open, close = sequence and "[" or "{", sequence and "]" or "}"
  return open .. table.concat(parts, " ") .. close
end

-- A clean world for every program ------------------------------------------

local STANDARD = {}
for name in pairs(_G) do
  if name ~= "arg" then STANDARD[#STANDARD + 1] = name end
end
table.sort(STANDARD)

local function shallow_copy(source)
  local copy = {}
  for key, value in next, source do copy[key] = value end
  return copy
end

local LIBRARIES = { "string", "table", "math", "coroutine", "utf8", "io", "os", "debug" }
local original = { loaded = shallow_copy(package.loaded), preload = shallow_copy(package.preload),
                   searchers = shallow_copy(package.searchers), path = package.path,
                   globals = shallow_copy(_G), string_index = getmetatable("").__index }
for _, name in ipairs(LIBRARIES) do original[name] = shallow_copy(_G[name]) end

local function restore_table(target, copy)
  for key in pairs(shallow_copy(target)) do
    if copy[key] == nil then target[key] = nil end
  end
  for key, value in pairs(copy) do target[key] = value end
end

local function restore_world()
  debug.sethook()
  restore_table(_G, original.globals)
  for _, name in ipairs(LIBRARIES) do restore_table(_G[name], original[name]) end
  restore_table(package.loaded, original.loaded)
  restore_table(package.preload, original.preload)
  restore_table(package.searchers, original.searchers)
  package.path = original.path
  getmetatable("").__index = original.string_index
end

-- Stops the running thread, and every coroutine made from now on, after SECONDS.
local function limit_time()
  local deadline = os.clock() + SECONDS
  local clock, raise, sethook = os.clock, error, debug.sethook
  local function check()
    if clock() > deadline then raise("the program takes too long", 0) end
  end
  sethook(check, "", 100000)
  local create, resume, status, unpack, pack = coroutine.create, coroutine.resume, coroutine.status, table.unpack, table.pack
  local close = coroutine.close
  coroutine.create = function(body)
    local thread = create(body)
    sethook(thread, check, "", 100000)
    return thread
  end
  coroutine.wrap = function(body)
    local thread = coroutine.create(body)
    return function(...)
      local results = pack(resume(thread, ...))
      if results[1] then return unpack(results, 2, results.n) end
      if status(thread) == "dead" then close(thread) end
      raise(results[2], 0)
    end
  end
end

local function make_folder(files)
  local folder = os.tmpname()
  os.remove(folder)
  for name, text in pairs(files) do
    local path = folder .. "/" .. name
    assert(os.execute("mkdir -p " .. quoted(path:match("^(.*)/"))))
    local file = assert(io.open(path, "wb"))
    file:write(text)
    file:close()
  end
  return folder
end

-- Runs a program; returns { stage = "compile" | "run" | "done", error, values, printed }.
local function run_program(program, load_fennel)
  local folder = next(program.files) and make_folder(program.files)
  local path = folder or "./no-such-folder"
  local printed = {}

  local function write(...)
    for index = 1, select("#", ...) do printed[#printed + 1] = tostring((select(index, ...))) end
  end
  print = function(...)
    for index = 1, select("#", ...) do
      if index > 1 then write("\t") end
      write((select(index, ...)))
    end
    write("\n")
  end
  io.write = function(...) write(...); return io.stdout end
  limit_time()

  local fennel = load_fennel()
  package.loaded.fennel = fennel
  fennel.path = path .. "/?.fnl;" .. path .. "/?/init.fnl"
  fennel["macro-path"] = path .. "/?.fnlm;" .. path .. "/?/init.fnlm;" .. path .. "/?.fnl;"
    .. path .. "/?/init-macros.fnl;" .. path .. "/?/init.fnl"
  package.path = path .. "/?.lua"

  local environment = shallow_copy(_G)
  environment.arg, environment._G = nil, environment
  local function options(filename)
    return { allowedGlobals = shallow_copy(STANDARD), env = environment, filename = filename,
             ["error-pinpoint"] = false }
  end
  package.searchers[#package.searchers + 1] = fennel.makeSearcher(options())

  local outcome
  local function finish(stage, err, values)
    outcome = { stage = stage, error = err, values = values }
  end
  local compiled, lua = pcall(fennel.compileString, program.text, options("main.fnl"))
  if not compiled then
    finish("compile", lua)
  else
    local chunk, problem = load(lua, "@main.fnl", "t", environment)
    if not chunk then
      finish("compile", "the emitted Lua does not load: " .. problem)
    else
      local values = table.pack(pcall(chunk))
      if values[1] then finish("done", nil, values) else finish("run", values[2]) end
    end
  end

  restore_world()
  if folder then os.execute("rm -rf " .. quoted(folder)) end
  outcome.printed = table.concat(printed)
  if outcome.stage ~= "done" then
    local text = type(outcome.error) == "string" and outcome.error or render(outcome.error)
    if folder then text = text:gsub((folder .. "/"):gsub("%p", "%%%0"), "") end
    outcome.error = text
  end
  return outcome
end

-- Comparison ---------------------------------------------------------------

local function describe(outcome)
  if outcome.stage == "compile" then return "does not compile: " .. outcome.error end
  if outcome.stage == "run" then return "raises: " .. outcome.error end
  local lines = {}
  for index = 2, outcome.values.n do lines[#lines + 1] = render(outcome.values[index]) end
  return "gives " .. #lines .. ": " .. table.concat(lines, "\n")
end

local function normal_text(text)
  return (text:gsub("%s+$", ""))
end

-- Returns nil if the outcome is as promised, or what was expected and what came.
local function judge(program, outcome)
  local sections = program.sections
  if sections.refuses then
    local file, line = program.position.refuses:match("^(.-):?(%d*)$")
    local other_file = file ~= "" and file ~= "main.fnl"
    -- The compile error of a required module only comes up when the program runs.
    local refused = outcome.stage == "compile" or (other_file and outcome.stage == "run")
    local position_right = true
    if refused and other_file then
      position_right = outcome.error:find(file .. ":" .. line, 1, true) ~= nil
    elseif refused and line ~= "" then
      -- An error inside a macro is reported behind the position of the call;
      -- either position is a good answer.
      local first_line = outcome.error:match("^%s*([^\n]*)")
      position_right = false
      for came_line in first_line:gmatch("main%.fnl:(%d+):") do
        if came_line == line then position_right = true end
      end
    end
    if not (refused and position_right) then
      return "refuses " .. program.position.refuses, describe(outcome)
    end
    return nil
  end
  if sections.raises then
    if outcome.stage ~= "run" then return "raises", describe(outcome) end
    for _, phrase in ipairs(sections.raises) do
      if not outcome.error:find(phrase, 1, true) then return "raises " .. phrase, describe(outcome) end
    end
  elseif outcome.stage ~= "done" then
    return "runs", describe(outcome)
  end
  if sections.gives then
    local lines = {}
    for index = 2, outcome.values.n do lines[#lines + 1] = render(outcome.values[index]) end
    local expected, came = table.concat(sections.gives, "\n"), table.concat(lines, "\n")
    if expected ~= came or #sections.gives ~= #lines then return "gives " .. expected, describe(outcome) end
  end
  local expected, came = table.concat(sections.prints or {}, "\n"), outcome.printed
  if normal_text(expected) ~= normal_text(came) then return "prints " .. expected, "prints " .. came end
  return nil
end

-- Main ---------------------------------------------------------------------

local reference, files = nil, {}
for _, argument in ipairs(arg) do
  if argument:match("%.lua$") then reference = argument else files[#files + 1] = argument end
end
if #files == 0 then files = files_beside(arg[0]) end
local load_fennel = assert(loadfile(find_reference(reference)))

local passed, failed, skipped = 0, 0, 0
for _, path in ipairs(files) do
  for _, program in ipairs(parse_programs(path)) do
    local sections = program.sections
    local expected, came
    if sections.differs then
      skipped = skipped + 1
    elseif not (sections.gives or sections.prints or sections.raises or sections.refuses) then
      expected, came = "an expectation", "none"
    else
      expected, came = judge(program, run_program(program, load_fennel))
    end
    if expected then
      failed = failed + 1
      print(("%s:%d: %s\n  expected: %s\n  got: %s"):format(path, program.line, program.title, expected, came))
    elseif not sections.differs then
      passed = passed + 1
    end
  end
end
if skipped > 0 then print(("%d skipped, because they differ from the reference on purpose"):format(skipped)) end
print(("%d passed, %d failed"):format(passed, failed))
os.exit(failed == 0)
