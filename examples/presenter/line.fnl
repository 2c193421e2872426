;; description: A presenter of lines, with the status items above the prompt
;; presenter: line

;; The whole user interface in one loop: read a line, hand it on, write down what happens until the
;; turn is over. `presenter:` above makes it the one that an interactive run uses unless a flag or a
;; setting names another.

;; What is written for an event; whatever is not here is passed over. The final `assistant-text`
;; comes with every provider; a presenter that wants the words as they come takes the deltas.
(fn shown [event]
  (case event
    {:type :assistant-text : text} text
    {:type :tool-call :tool-call {: name}} (.. "* " name)
    {:type :tool-result :result {:is-error? true}} "* it failed"
    {:type :info} (or event.info event.text)
    {:type :error : error} (.. "error: " error)
    {:type :extension-error : error}
    (string.format "error: extension %s: %s" (or event.owner "?") error)))

(fn status-line [ctx]
  (-> (icollect [_ {: text} (ipairs (ctx.status {:width 80 :height 24}))] text)
      (table.concat " | ")))

(fn show [ctx event]
  (case (shown event)
    text (ctx.write (.. text "\n"))))

;; Writes down what happens up to the end of the turn; false at the end of the run.
(fn follow-turn [ctx]
  (case (ctx.next-event)
    {:type :agent-turn-complete} true
    event (do
            (show ctx event)
            (follow-turn ctx))
    _ false))

;; Writes down the turn that is under way, if one is, and all that happened besides; false once the
;; run is ending.
(fn catch-up [ctx]
  (if (not (ctx.busy?))
      (do
        ;; What a command had to say is here by now.
        (each [event ctx.try-next-event]
          (show ctx event))
        (not (ctx.ending?)))
      (follow-turn ctx)
      (catch-up ctx)
      false))

(fn read [ctx]
  (case (status-line ctx)
    "" (ctx.read-line "> ")
    status (ctx.read-line (.. status "\n> "))))

;; Takes lines to the end of the input.
(fn converse [ctx line]
  (when line
    ;; Why a command failed comes as an event too; only what was not taken at all does not.
    (ctx.submit line)
    (when (catch-up ctx)
      (converse ctx (read ctx)))))

(fn [api]
  ;; Questions of commands, hooks and other extensions come here while the loop waits for an event.
  (var asking nil)

  (fn notify [text]
    (asking.write (.. "* " text "\n")))

  (fn prompt [{: text}]
    (asking.read-line (.. text " ")))

  (fn select [{: title : choices}]
    (asking.write (.. title "\n"))
    (each [number {: label} (ipairs choices)]
      (asking.write (string.format "  %d. %s\n" number label)))
    (case (tonumber (asking.read-line "number: "))
      number (?. choices number :value)))

  (api.register :presenter {:name :line
                            :ui {: notify : prompt : select}
                            :init (fn [ctx]
                                    (set asking ctx))
                            :run (fn [ctx]
                                   (converse ctx (or ctx.prompt (read ctx))))}))
