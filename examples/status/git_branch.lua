-- description: The git branch in the status row
-- capabilities: process
-- requires.programs: git

-- `render` must answer at once and cannot wait for a program. So the branch is looked up when
-- something may have changed it, and `render` hands out what was found.

return function(api)
  local branch

  local function look()
    local git = api.process.run({ "git", "branch", "--show-current" }, { ["timeout-ms"] = 2000 })
    -- `ok` says that git ran; `code` says whether it liked what it saw.
    local found = git.ok and git.code == 0 and git.stdout:match("^%S+") or nil
    if found ~= branch then
      branch = found
      api.emit({ type = "redraw" })
    end
  end

  api.register("status", {
    name = "git-branch",
    order = 20,
    render = function()
      -- nil hides the item, outside of a repository and on a detached HEAD.
      return branch and { text = "git:" .. branch, style = "accent" }
    end,
  })

  api.on("agent-started", look)
  -- The agent may have changed the branch.
  api.on("agent-turn-complete", look)
end
