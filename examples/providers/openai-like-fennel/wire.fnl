;; Translation between fen's messages and those of Chat Completions. Nothing here talks to anybody.
;; A module has no `api`; what it needs of it, here `json`, is given to the function that it is.

;; The text of a content that may be a string or a list of blocks.
(fn text-of [content]
  (if (= :string (type content))
      content
      (table.concat (icollect [_ block (ipairs content)]
                      (case block {:type :text : text} text))
                    "\n")))

(fn wire-tools [tools]
  (icollect [_ {: name : description : parameters} (ipairs tools)]
    {:type :function :function {: name : description : parameters}}))

(fn stop-reason [reason]
  (case reason
    :length :length
    (where (or :tool_calls :function_call)) :tool-use
    :content_filter :error
    _ :stop))

(fn mentions? [words ...]
  (accumulate [found false _ part (ipairs [...]) &until found]
    (not= nil (words:find part 1 true))))

(fn kind-of [status words]
  (if (or (= status 401) (= status 403)) :auth
      (= status 429) :rate-limit
      (or (= status 408) (>= status 500)) :overloaded
      (mentions? words "context length" "context window") :overflow
      :invalid-request))

(fn [json]
  (fn wire-call [block]
    (case block
      {:type :tool-call : id : name : arguments}
      {: id :type :function :function {: name :arguments (json.encode arguments)}}))

  (fn wire-message [{: role : content &as message}]
    (case role
      :user {: role :content (text-of content)}
      :assistant (let [calls (icollect [_ block (ipairs content)] (wire-call block))]
                   {: role
                    :content (text-of content)
                    :tool_calls (when (< 0 (length calls)) calls)})
      :tool-result {:role :tool
                    :tool_call_id message.tool-call-id
                    :content (text-of content)}))

  ;; All messages; `messages` is a list that makes each one when it is looked at.
  (fn wire-messages [messages system]
    (icollect [_ message (ipairs messages) &into (if system
                                                     [{:role :system :content system}]
                                                     [])]
      (wire-message message)))

  ;; The error object of a body, if there is one.
  (fn reported [body]
    (case (pcall json.decode body)
      (where (true {:error words}) (= :string (type words))) words
      (where (true {:error {:message words}}) (= :string (type words))) words))

  ;; What to throw for an answer that is none.
  (fn failure [{: status : headers} body]
    (let [words (or (reported body)
                    (if (= body "") "no reason was given" (body:sub 1 300)))
          seconds (tonumber headers.Retry-After)]
      {:kind (kind-of status words)
       :message (string.format "HTTP %d: %s" status words)
       :retry-after-ms (when seconds
                         (math.floor (* seconds 1000)))}))

  {: wire-messages : wire-tools : stop-reason : failure})
