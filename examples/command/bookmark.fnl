;; description: /bookmark remembers places of the conversation and goes back to their words

;; A command with subcommands and a completion. The bookmarks lie in `api.state`, so they outlive
;; `/reload`; they are gone when fen ends.

(local usage "add NAME | show NAME | list")

(fn text-of [{: content}]
  (if (= :string (type content))
      content
      (table.concat (icollect [_ block (ipairs content)]
                      (case block {:type :text : text} text))
                    "\n")))

(fn names-of [marks]
  (doto (icollect [name (pairs marks)] name)
    (table.sort)))

(fn starts-with? [text beginning]
  (= beginning (text:sub 1 (length beginning))))

(fn [api]
  (set api.state.marks (or api.state.marks {}))
  (local marks api.state.marks)

  ;; Level 0 leaves the file and line out: an error of the command is for whoever typed the line.
  (fn fail [...]
    (error (string.format ...) 0))

  (fn say [...]
    (api.emit {:type :info :info (string.format ...)}))

  (fn add [name {: messages}]
    ;; `messages` is a view of the live conversation; each message is made when it is looked at.
    (let [index (length messages)]
      (when (= name "")
        (fail "give the bookmark a name: /bookmark add NAME"))
      (when (= index 0)
        (fail "there is nothing to remember yet"))
      (tset marks name {: index :text (text-of (. messages index))})
      (say "bookmark %s is at message %d" name index)))

  (fn show [name]
    (case (. marks name)
      {: index : text} (say "%s, message %d: %s" name index text)
      _ (fail "there is no bookmark `%s`" name)))

  (fn list []
    (case (names-of marks)
      [nil] (say "there are no bookmarks")
      names (say "%s" (table.concat names ", "))))

  (fn handler [args ctx]
    (case (args:match "^(%S*)%s*(.-)$")
      (:add name) (add name ctx)
      (:show name) (show name)
      (where (or "" :list)) (list)
      verb (fail "`%s` is none of %s" verb usage)))

  ;; It gets what stands after the name so far. A `value` takes the place of all of that.
  (fn complete [prefix]
    (let [offers [{:value "add " :description "remember the last message"}
                  {:value :list :description "all bookmarks"}]]
      (each [_ name (ipairs (names-of marks))]
        (table.insert offers {:value (.. "show " name)
                              :description (.. "message " (. marks name :index))}))
      (icollect [_ {: value : description} (ipairs offers)]
        (when (starts-with? value prefix)
          {:label value : value : description}))))

  (api.register :command {:name :bookmark
                          :description "Remember a place of the conversation"
                          : usage
                          : handler
                          : complete}))
