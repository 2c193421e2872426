;; description: Tells the model and /extensions how many turns, calls and tokens the run has taken

;; Handlers count what goes by; the snapshot only hands the numbers out, since it has to answer at
;; once. The model reads it with the tool agent_state, scripts with api.introspect.collect.

(fn [api]
  (local counts api.state)
  (each [_ name (ipairs [:turns :failed :tool-calls :tool-errors :input :output])]
    (tset counts name (or (. counts name) 0)))

  (fn add [name amount]
    (tset counts name (+ (. counts name) (or amount 0))))

  (api.on :agent-turn-complete (fn [{: status}]
                                 (add :turns 1)
                                 (when (= status :error)
                                   (add :failed 1))))

  (api.on :tool-result (fn [{: result}]
                         (add :tool-calls 1)
                         (when result.is-error?
                           (add :tool-errors 1))))

  (api.on :llm-end (fn [{: message}]
                     (case message.usage
                       usage (do
                               (add :input usage.input)
                               (add :output usage.output)))))

  (api.register :introspect {:name :turns
                             :description "What this run has taken so far"
                             :snapshot #{:turns {:done counts.turns :failed counts.failed}
                                         :tool-calls {:done counts.tool-calls
                                                      :failed counts.tool-errors}
                                         :tokens {:input counts.input
                                                  :output counts.output}}}))
