;; A small inventory: what a file of a person's own looks like.

(local max-weight 120)
(local categories {:tool {:limit 10 :label "Tools"}
                   :food {:limit 30 :label "Food"}
                   :book {:limit 5 :label "Books"}})

(fn clamp [value low high]
  "Keeps a number between two others."
  (if (< value low) low
      (> value high) high
      value))

(fn round [value ?places]
  (let [factor (^ 10 (or ?places 0))]
    (/ (math.floor (+ (* value factor) 0.5)) factor)))

(fn keys [tbl]
  (let [out (icollect [k (pairs tbl)] k)]
    (table.sort out)
    out))

(fn map [f tbl]
  (icollect [_ v (ipairs tbl)] (f v)))

(fn filter [pred tbl]
  (icollect [_ v (ipairs tbl)]
    (when (pred v) v)))

(fn reduce [f init tbl]
  (accumulate [acc init _ v (ipairs tbl)]
    (f acc v)))

(fn copy [tbl]
  (collect [k v (pairs tbl)] k v))

(fn merge [...]
  (let [out {}]
    (each [_ tbl (ipairs [...])]
      (each [k v (pairs tbl)]
        (tset out k v)))
    out))

(local item-mt {})

(fn item-mt.__tostring [self]
  (.. self.name " (" self.weight " kg)"))

(fn item-mt.__eq [a b]
  (and (= a.name b.name) (= a.category b.category)))

(fn make-item [{: name : weight : category : tags}]
  (assert (. categories category) (.. "unknown category: " (tostring category)))
  (setmetatable {: name
                 : category
                 :weight (clamp (or weight 1) 0 max-weight)
                 :tags (or tags [])}
                item-mt))

(fn has-tag? [item tag]
  (var found? false)
  (each [_ t (ipairs item.tags) &until found?]
    (set found? (= t tag)))
  found?)

(fn parse-line [line]
  (case (line:match "^(%a+):(%a+):(%d+)$")
    (name category weight) {: name : category :weight (tonumber weight)}
    _ (values nil (.. "cannot read: " line))))

(fn parse-all [text]
  (let [items [] errors []]
    (each [line (text:gmatch "[^\n]+")]
      (case (parse-line line)
        item (table.insert items (make-item item))
        (nil err) (table.insert errors err)))
    (values items errors)))

(local Inventory {})
(set Inventory.__index Inventory)

(fn Inventory.new [?capacity]
  (setmetatable {:items [] :capacity (or ?capacity max-weight) :log []}
                Inventory))

(fn Inventory.weight [self]
  (accumulate [sum 0 _ item (ipairs self.items)]
    (+ sum item.weight)))

(fn Inventory.count [self category]
  (faccumulate [n 0 i 1 (length self.items)]
    (if (= (. self.items i :category) category)
        (+ n 1)
        n)))

(fn Inventory.add [self item]
  (let [total (+ (self:weight) item.weight)
        {: limit : label} (. categories item.category)]
    (if (> total self.capacity)
        (values nil :too-heavy)
        (>= (self:count item.category) limit)
        (values nil (.. "too many " label))
        (do
          (table.insert self.items item)
          (table.insert self.log [:add item.name])
          item))))

(fn Inventory.remove [self name]
  (var removed nil)
  (for [i (length self.items) 1 -1 &until removed]
    (when (= name (. self.items i :name))
      (set removed (table.remove self.items i))
      (table.insert self.log [:remove name])))
  removed)

(fn Inventory.find [self pattern]
  (filter #(string.find $.name pattern) self.items))

(fn Inventory.by-category [self]
  (let [out {}]
    (each [_ item (ipairs self.items)]
      (let [list (or (. out item.category) [])]
        (table.insert list item.name)
        (tset out item.category list)))
    out))

(fn Inventory.report [self]
  (let [groups (self:by-category)
        lines []]
    (each [_ category (ipairs (keys groups))]
      (let [{: label} (. categories category)
            names (. groups category)]
        (table.sort names)
        (table.insert lines (string.format "%-8s %2d  %s" label (length names)
                                           (table.concat names ", ")))))
    (table.insert lines (.. "total " (round (self:weight) 1) " kg"))
    (table.concat lines "\n")))

(fn apply-command [inventory command]
  (match command
    [:add name category weight]
    (inventory:add (make-item {: name : category : weight}))
    [:remove name]
    (or (inventory:remove name) (values nil (.. "no such item: " name)))
    [:find pattern & rest]
    (let [found (inventory:find pattern)]
      (if (= 0 (length rest))
          found
          (filter #(has-tag? $ (. rest 1)) found)))
    (where [:count category] (. categories category))
    (inventory:count category)
    [:report] (inventory:report)
    {: op : arg} (apply-command inventory [op arg])
    _ (values nil :unknown-command)))

(fn run-all [inventory commands]
  (var failures 0)
  (local results [])
  (each [i command (ipairs commands)]
    (let [(ok result err) (pcall apply-command inventory command)]
      (if (not ok) (do
                     (set failures (+ failures 1))
                     (tset results i {:error result}))
          (= nil result) (do
                           (set failures (+ failures 1))
                           (tset results i {:error err}))
          (tset results i {:value result}))))
  (values results failures))

(fn fibonacci [n]
  (var (a b) (values 0 1))
  (for [_ 1 n]
    (set (a b) (values b (+ a b))))
  a)

(fn primes [n]
  (let [sieve (fcollect [_ 1 n] true)]
    (for [i 2 n]
      (when (. sieve i)
        (for [j (* i i) n i]
          (tset sieve j false))))
    (fcollect [i 2 n]
      (when (. sieve i) i))))

(fn word-frequencies [text]
  (let [counts {}]
    (each [word (string.gmatch (text:lower) "%a+")]
      (tset counts word (+ 1 (or (. counts word) 0))))
    (let [words (keys counts)]
      (table.sort words #(or (> (. counts $1) (. counts $2))
                             (and (= (. counts $1) (. counts $2)) (< $1 $2))))
      (values words counts))))

(fn pipeline [text]
  (-> text
      (string.gsub "%s+" " ")
      (string.lower)
      (string.match "^%s*(.-)%s*$")))

{: Inventory : make-item : parse-all : run-all : apply-command : merge : copy
 : map : filter : reduce : fibonacci : primes : word-frequencies : pipeline
 : item-mt : has-tag?}
