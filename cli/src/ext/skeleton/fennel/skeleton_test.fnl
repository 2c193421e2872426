;; Run them with `fen ext test`. Each test has fen to itself, with the extension in it, an empty
;; working directory, and a pretended model.

{"the tool counts words"
 (fn [t]
   (let [result (t.call_tool :TOOL {:text "one two  three"})]
     (t.eq result.text "3 words")))

 "a text is needed"
 (fn [t]
   (let [result (t.call_tool :TOOL {})]
     (t.ok result.is_error)
     (t.contains result.text :text)))

 "the command says how many there are"
 (fn [t]
   (t.eq (t.command "/COMMAND one two") ["2 words"]))

 "a model can use the tool"
 (fn [t]
   (t.mock [{:tool_calls [{:name :TOOL :arguments {:text "a b"}}]}
            {:text "There are two."}])
   (let [turn (t.prompt "How many words are in: a b")]
     (t.eq turn.text "There are two.")))}
