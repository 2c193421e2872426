;; description: Counts words, number NUMBER

(local limits {:longest 40 :shown 10})

(fn words [text]
  (icollect [word (text:gmatch "%a+")]
    (when (<= (length word) limits.longest)
      (word:lower))))

(fn counted [text]
  (let [counts {}]
    (each [_ word (ipairs (words text))]
      (tset counts word (+ 1 (or (. counts word) 0))))
    counts))

(fn ranked [counts]
  (let [names (icollect [name (pairs counts)] name)]
    (table.sort names #(if (= (. counts $1) (. counts $2))
                           (< $1 $2)
                           (> (. counts $1) (. counts $2))))
    names))

(fn report [text]
  (let [counts (counted text)
        lines []]
    (each [index name (ipairs (ranked counts)) &until (> index limits.shown)]
      (table.insert lines (.. name ": " (. counts name))))
    (table.concat lines "\n")))

(fn execute [{: text} yield]
  (case text
    "" {:content [{:type :text :text "no words"}] :is-error? true}
    given (report given)))

(fn [api]
  (api.register :tool
    {:name :count_words_NUMBER
     :description "Count the words of a text"
     :parameters {:type :object :properties {:text {:type :string}} :required [:text]}
     : execute}))
