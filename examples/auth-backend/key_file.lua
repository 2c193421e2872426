-- description: An API key from a file of yours, or typed in for this run
-- capabilities: fs

-- A provider says `auth = "key-file"` (and asks for the capability `auth:key-file`); fen then asks
-- here before each request. Make the file so that nobody else can read it:
--   (umask 077; cat > ~/.key-file)

local FILE = "~/.key-file"

return function(api)
  -- A key that was typed in. A local and not `api.state`: it goes with this generation of the code.
  local typed

  local function from_file()
    local read = api.fs.read(FILE, { ["max-bytes"] = 4096 })
    if read.ok then
      return read.text:match("%S+")
    elseif read.kind ~= "not-found" then
      -- A file that is there and cannot be read is worth words; one that is not there is not.
      error(read.error, 0)
    end
  end

  local function login()
    if not api.ui["has-ui?"]() then
      -- `fen --login key-file` comes here: no conversation runs, so nobody can be asked.
      if from_file() then
        return { ok = true }
      end
      return { ok = false, error = ("there is no key in %s; write it there"):format(FILE) }
    end
    local key = api.ui.prompt({ text = "API key:", secret = true })
    if not key or key == "" then
      return { ok = false, error = "no key was given" }
    end
    typed = key
    return { ok = true }
  end

  api.register("auth-backend", {
    name = "key-file",
    ["api-key"] = function()
      return typed or from_file()
    end,
    ["login!"] = login,
    ["logout!"] = function()
      typed = nil
    end,
    -- It is shown in lists and must answer at once, so it does not look at the disk.
    status = function()
      return typed and "a key was typed in" or ("reads " .. FILE)
    end,
  })

  api.register("command", {
    name = "key",
    description = "Type in an API key for this run",
    handler = function()
      local outcome = login()
      api.ui.notify(outcome.ok and "the key is set for this run" or outcome.error)
    end,
  })
end
