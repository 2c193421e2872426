-- Run them with `fen ext test`. Each test has fen to itself, with the extension in it, an empty
-- working directory, and a pretended model.

return {
  ["the tool counts words"] = function(t)
    local result = t.call_tool("TOOL", { text = "one two  three" })
    t.eq(result.text, "3 words")
  end,

  ["a text is needed"] = function(t)
    local result = t.call_tool("TOOL", {})
    t.ok(result.is_error)
    t.contains(result.text, "text")
  end,

  ["the command says how many there are"] = function(t)
    t.eq(t.command("/COMMAND one two"), { "2 words" })
  end,

  ["a model can use the tool"] = function(t)
    t.mock({
      { tool_calls = { { name = "TOOL", arguments = { text = "a b" } } } },
      { text = "There are two." },
    })
    local turn = t.prompt("How many words are in: a b")
    t.eq(turn.text, "There are two.")
  end,
}
