;; description: ctrl-g tells the agent to go on, without typing it

;; A key. It does what typing "Go on." would do: it begins a turn, or steers the one under way.

(fn [api]
  (fn handler [ctx]
    (case (api.turn.submit! ctx "Go on." {:when-busy :steering})
      {:ok false : error} (api.ui.notify (.. "not sent: " error))
      {:queued true} (api.ui.notify "the agent hears it as soon as it can")))

  (api.register :control {:name :go-on
                          :key :ctrl-g
                          :description "Tell the agent to go on"
                          : handler}))
