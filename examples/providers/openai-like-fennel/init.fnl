;; A provider for servers that speak OpenAI's Chat Completions, such as llama.cpp, vLLM or Ollama.
;;
;; It is in three parts: wire.fnl translates between fen's messages and the wire, answer.fnl builds
;; an answer out of the pieces of a stream, and this file talks to the server. fen itself retries
;; what failed for a moment, keeps the conversation, runs the tools and counts the tokens.
;;
;; Where the server is stands in config.json beside this file. A key, if the server wants one, comes
;; from `fen --api-key`; a provider that always needs one names an auth backend in `auth`.

(local make-wire (require :wire))
(local make-answer (require :answer))

(local setup
  "Write the server's address and a model into config.json of the extension openai-like.")

;; `false` leaves a header out.
(fn headers [{:api-key key}]
  {:authorization (if key (.. "Bearer " key) false)})

;; The beginning of the body of an answer that is none.
(fn body-of [response]
  (let [lines []]
    (each [line (response.lines) &until (= 50 (length lines))]
      (table.insert lines line))
    (response.close)
    (table.concat lines "\n")))

(fn [api]
  (local wire (make-wire api.json))
  (local answer (make-answer api.json wire))
  (local config (api.load "config.json"))
  (local base-url (pick-values 1 (config.base-url:gsub "/+$" "")))

  (fn build-body [model {: messages : tools : system-prompt : max-tokens} {: thinking}]
    {: model
     :messages (wire.wire-messages messages system-prompt)
     :max_tokens max-tokens
     :stream true
     :stream_options {:include_usage true}
     :tools (when (< 0 (length tools))
              (wire.wire-tools tools))
     :reasoning_effort (when (not= thinking :off) thinking)})

  ;; What goes wrong in here is thrown as `{: kind : message}`, and becomes an answer with the stop
  ;; reason `error`. The kind decides what fen does: `rate-limit`, `overloaded`, `network`, `stall`
  ;; and `truncated-stream` are tried again.

  (fn add-event [building {: data : complete}]
    (case (pcall api.json.decode data)
      (true chunk) (answer.add building chunk)
      (where _ complete)
      (error {:kind :invalid-request
              :message (.. "the server sent what is not JSON: " (data:sub 1 200))})))

  ;; A stream that breaks raises in here, and what was sent so far is kept by fen. A cancelled turn
  ;; ends the wait for the next event; the connection is closed when nothing refers to it.
  (fn follow [response on-event]
    (let [building (answer.new on-event)]
      (each [event (response.events) &until (= event.data "[DONE]")]
        (add-event building event))
      (response.close)
      (answer.finish building)))

  (fn complete [model context options on-event]
    (case (api.http.stream {:url (.. base-url "/chat/completions")
                            :headers (headers options)
                            :json (build-body model context options)})
      ;; `network`, `timeout` and the like mean the same here as in a provider's failure.
      {:ok false : kind :error message} (error {: kind : message})
      {:status 200 : response} (follow response on-event)
      reply (error (wire.failure reply (body-of reply.response)))))

  ;; The same for an answer that came whole.
  (fn parse-response [response]
    (let [building (answer.new #nil)]
      (answer.add-whole building response)
      (answer.finish building)))

  (fn list-models [options]
    (case (api.http.get (.. base-url "/models")
                        {:headers (headers options) :timeout-ms 10000})
      {:ok false :error words} (error words 0)
      {:status 200 : json} (icollect [_ {: id} (ipairs (. (json) :data))] {: id})
      reply (error (. (wire.failure reply reply.body) :message) 0)))

  (api.register :provider {:name :openai-like
                           :api :openai-completions
                           : base-url
                           :default-model config.model
                           : setup
                           :convert-messages wire.wire-messages
                           :convert-tools wire.wire-tools
                           :map-stop-reason wire.stop-reason
                           : build-body
                           : parse-response
                           : list-models
                           : complete}))
