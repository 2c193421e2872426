;; description: A tool that counts the words, lines and bytes of a text or a file
;; capabilities: fs

;; The smallest useful kind of extension: one tool, which the model calls by its name. The schema is
;; all that the model knows of the arguments, and fen has checked them against it before `execute`
;; is called.

(local description
  "Count the words, lines and bytes of `text`, or of the file at `path`.")

(local parameters
  {:type :object
   :properties {:text {:type :string :description "The text itself"}
                :path {:type :string
                       :description "A file, relative to the working directory"}}})

(fn count [text pattern]
  (accumulate [n 0 _ (text:gmatch pattern)] (+ n 1)))

(fn counted [text]
  (string.format "%d words, %d lines, %d bytes" (count text "%S+") (count text "\n")
                 (length text)))

;; A result that tells the model what to do better. Throwing would work too, but it would also be
;; reported to the person as a fault of the extension.
(fn refused [text]
  {:content [{:type :text : text}] :is-error? true})

(fn [api]
  (fn counted-file [path]
    ;; Whatever can fail gives a table with `ok`; its `error` is fit to be read.
    (case (api.fs.read path {:max-bytes (* 16 1024 1024)})
      {:ok true :truncated? true} (refused (.. path " is larger than 16 MiB."))
      {:ok true : text} (counted text)
      {: error} (refused error)))

  (fn execute [args]
    (case args
      {: text} (counted text)
      {: path} (counted-file path)
      _ (refused "Give `text` or `path`.")))

  ;; It changes nothing, so several calls of one answer may run side by side.
  (api.register :tool {:name :word_count
                       :label "count words"
                       : description
                       : parameters
                       :parallel-safe? true
                       : execute}))
