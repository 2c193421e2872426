;; description: The time of day in the status row

;; What a status item says is asked for after events. Nothing happens when a minute passes, so a
;; timer makes it happen; a timer ends by itself when the extension is reloaded or unloaded.

(fn now []
  (os.date "%H:%M"))

(fn [api]
  (var shown nil)

  (api.register :status {:name :clock
                         :side :right
                         :order 90
                         :render (fn []
                                   (set shown (now))
                                   {:text shown :style :dim})})

  (fn tick []
    ;; Only when there is something new to see: each redraw asks all panels and items.
    (when (not= shown (now))
      (api.emit {:type :redraw})))

  (api.timer.every 1000 tick))
