;; A to-do list: a table of items `{: text : state}`, changed in place.

(fn add [items text]
  (if (= "" (or text ""))
      "`add` needs `text`."
      (table.insert items {: text :state :open})))

(fn done [items number]
  (case (. items (or number 0))
    item (set item.state :done)
    _ (string.format "`done` needs `item`, from 1 to %d." (length items))))

(fn clear [items]
  (while (table.remove items)))

;; Does what the model asks for; gives words if it cannot be done.
(fn change [items args]
  (case args
    {:action :add} (add items args.text)
    {:action :done} (done items args.item)
    {:action :clear} (clear items)))

;; How many are not done yet.
(fn open [items]
  (accumulate [count 0 _ {: state} (ipairs items)]
    (if (= state :open) (+ count 1) count)))

;; The list as text, a line for each item.
(fn text [items marks]
  (case (icollect [number {: text : state} (ipairs items)]
          (string.format "%d. %s %s" number (. marks state) text))
    [nil] "The list is empty."
    lines (table.concat lines "\n")))

{: change : open : text}
