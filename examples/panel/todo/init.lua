-- A list that the model edits with a tool, and a panel that shows it while there is something to do.
-- The list itself is in list.lua, which knows nothing of fen.

local list = require("list")

local MARKS = { open = "[ ]", done = "[x]" }
local STYLES = { open = "accent", done = "dim" }

return function(api)
  -- Data only goes into `api.state`: it is carried over as JSON when the extension is reloaded.
  api.state.items = api.state.items or {}
  local items = api.state.items

  api.register("tool", {
    name = "todo",
    description = "Keep the list of steps of the present task. `add` appends `text`; `done` ticks off "
      .. "item number `item`; `clear` empties the list; `show` only reads it. Each gives the list.",
    parameters = {
      type = "object",
      properties = {
        action = { type = "string", enum = { "add", "done", "clear", "show" } },
        text = { type = "string" },
        item = { type = "integer", minimum = 1 },
      },
      required = { "action" },
    },
    execute = function(args)
      local changed, problem = list.change(items, args)
      -- The screen asks panels again after events; a change in the middle of a call has none.
      api.emit({ type = "redraw" })
      return {
        content = { { type = "text", text = changed and list.text(items, MARKS) or problem } },
        ["is-error?"] = not changed,
      }
    end,
  })

  api.register("panel", {
    name = "todo",
    title = "To do",
    order = 20,
    ["enabled?"] = function()
      return list.open(items) > 0
    end,
    render = function(ctx)
      local rows = {}
      for number, item in ipairs(items) do
        rows[number] = {
          segments = {
            { text = MARKS[item.state] .. " ", style = STYLES[item.state] },
            { text = item.text:sub(1, math.max(ctx.width - 4, 0)), style = item.state == "done" and "dim" or nil },
          },
        }
      end
      return rows
    end,
    -- At most a third of the screen, however long the list is.
    height = function(ctx)
      return math.min(#items, ctx.height // 3)
    end,
  })
end
