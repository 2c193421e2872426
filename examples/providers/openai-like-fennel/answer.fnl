;; An answer that is built out of the chunks of a stream, and told of piece by piece.
;;
;; `content` holds the blocks in the order in which they came, as fen wants them; `on-event` hears of
;; each as it grows. `content-index` counts them from 1.

;; What the server sends as null is `json.null` here and not nil, so types are asked for.
(fn text? [value]
  (and (= :string (type value)) (not= value "")))

(fn text [value]
  (when (text? value) value))

(fn record [value]
  (if (= :table (type value)) value {}))

(fn whole [value]
  (when (= :number (type value))
    (math.floor value)))

;; `calls` finds a call by the server's number for it; `order` has them as they came.
(fn new [on-event]
  {:content [] :calls {} :order [] : on-event})

;; Sends an event about the block at `index`.
(fn tell [{: on-event} kind index fields]
  (set (fields.type fields.content-index) (values kind index))
  (on-event fields))

;; Ends the text or the thinking that is open. Calls stay open to the end: servers may mix them.
(fn close [{: content : kind : index &as answer}]
  (when (or (= kind :text) (= kind :thinking))
    (tell answer (.. kind :-end) index {:content (. content index kind)}))
  (set (answer.kind answer.index) nil))

;; Begins a block, after ending the one before.
(fn open [{: content &as answer} kind block]
  (close answer)
  (table.insert content block)
  (let [index (length content)]
    (set (answer.kind answer.index) (values kind index))
    (tell answer (.. kind :-start) index {})
    index))

;; Adds to the text or the thinking that is open. Both have a field of their own name.
(fn grow [answer kind delta]
  (when (not= kind answer.kind)
    (open answer kind {:type kind kind ""}))
  (let [block (. answer.content answer.index)]
    (tset block kind (.. (. block kind) delta))
    (tell answer (.. kind :-delta) answer.index {: delta})))

(fn begin-call [{: calls : order &as answer} number id name]
  (let [block {:type :tool-call
               :id (or (text id) (.. :call- number))
               :name (or (text name) "")}
        call {: block :arguments "" :index (open answer :tool-call block)}]
    (tset calls number call)
    (table.insert order call)
    call))

(fn add-call [answer {:index number : id :function named}]
  (let [{: name : arguments} (record named)
        number (or (whole number) 0)
        call (or (. answer.calls number) (begin-call answer number id name))]
    (when (text? arguments)
      (set call.arguments (.. call.arguments arguments))
      (tell answer :tool-call-delta call.index {:delta arguments}))))

(fn usage-of [{: prompt_tokens
               : completion_tokens
               : total_tokens
               : prompt_tokens_details}]
  (let [cache-read (whole (. (record prompt_tokens_details) :cached_tokens))
        input (whole prompt_tokens)]
    ;; fen counts what came from the cache apart from the rest.
    {:input (when input
              (- input (or cache-read 0)))
     :output (whole completion_tokens)
     : cache-read
     :total-tokens (whole total_tokens)}))

;; Takes one chunk of the stream.
(fn add [answer chunk]
  (when (not answer.started?)
    (set answer.started? true)
    (answer.on-event {:type :start}))
  (case chunk.error
    (where problem (= :table (type problem)))
    (error {:kind :overloaded
            :message (or (text problem.message) "the server broke the answer off")}))
  (case chunk.usage
    (where usage (= :table (type usage))) (set answer.usage (usage-of usage)))
  (let [{: delta : finish_reason} (record (. (record chunk.choices) 1))
        {: reasoning_content : content : tool_calls} (record delta)]
    (when (text? reasoning_content)
      (grow answer :thinking reasoning_content))
    (when (text? content)
      (grow answer :text content))
    (each [_ call (ipairs (record tool_calls))]
      (add-call answer call))
    (set answer.reason (or (text finish_reason) answer.reason))))

;; Takes an answer that came whole: its message is one large delta.
(fn add-whole [answer {: choices : usage}]
  (let [{: message : finish_reason} (. choices 1)]
    (each [number call (ipairs (record message.tool_calls))]
      (set call.index (- number 1)))
    (add answer {:choices [{:delta message : finish_reason}] : usage})))

(fn [json wire]
  (fn end-call [answer {: block : index : arguments}]
    (case (pcall json.decode (if (= arguments "") "{}" arguments))
      (where (true decoded) (= :table (type decoded)))
      (set block.arguments decoded)
      _
      (do
        ;; fen answers such a call with an error that the model can read, and does not run it.
        (set block.arguments {})
        (set block.invalid
          (.. "the arguments are not a JSON object: " (arguments:sub 1 200)))))
    (tell answer :tool-call-end index {:tool-call block}))

  ;; Ends the blocks and gives the message.
  (fn finish [{: content : order : reason : usage : on-event &as answer}]
    (when (not reason)
      ;; A stream that ends without one has broken off, even if it ended in order.
      (error {:kind :truncated-stream
              :message "the answer ended before it was complete"}))
    (close answer)
    (each [_ call (ipairs order)]
      (end-call answer call))
    (let [stop-reason (if (= 0 (length order)) (wire.stop-reason reason) :tool-use)
          message {:role :assistant
                   :timestamp (* 1000 (os.time))
                   : content
                   : stop-reason
                   : usage}]
      (if (= stop-reason :error)
          (doto message
            (tset :error-message "the server withheld the answer")
            (tset :error-kind :refused))
          (on-event {:type :done : message}))
      message))

  {: new : add : add-whole : finish})
