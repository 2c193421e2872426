;; A list that the model edits with a tool, and a panel that shows it while there is something to
;; do. The list itself is in list.fnl, which knows nothing of fen.

(local list (require :list))

(local marks {:open "[ ]" :done "[x]"})
(local styles {:open :accent :done :dim})

(local description
  (.. "Keep the list of steps of the present task. `add` appends `text`; `done` ticks off "
      "item number `item`; `clear` empties the list; `show` only reads it. Each gives the list."))

(local parameters {:type :object
                   :properties {:action {:type :string :enum [:add :done :clear :show]}
                                :text {:type :string}
                                :item {:type :integer :minimum 1}}
                   :required [:action]})

(fn [api]
  ;; Data only goes into `api.state`: it is carried over as JSON when the extension is reloaded.
  (set api.state.items (or api.state.items []))
  (local items api.state.items)

  (fn execute [args]
    (let [problem (list.change items args)]
      ;; The screen asks panels again after events; a change in the middle of a call has none.
      (api.emit {:type :redraw})
      {:content [{:type :text :text (or problem (list.text items marks))}]
       :is-error? (not= nil problem)}))

  (fn row [{: text : state} width]
    {:segments [{:text (.. (. marks state) " ") :style (. styles state)}
                {:text (text:sub 1 (math.max 0 (- width 4)))
                 :style (when (= state :done) :dim)}]})

  (fn render [{: width}]
    (icollect [_ item (ipairs items)] (row item width)))

  ;; At most a third of the screen, however long the list is.
  (fn height [{: height}]
    (math.min (length items) (// height 3)))

  (api.register :tool {:name :todo : description : parameters : execute})
  (api.register :panel {:name :todo
                        :title "To do"
                        :order 20
                        :enabled? #(< 0 (list.open items))
                        : render
                        : height}))
