;; A session backend: `fen --session json-lines` keeps conversations beside the project they are
;; about. One file for each, one JSON object a line: first what the session is, then what happened.
;;
;; A line is added in one piece and never changed, so that a file that was cut off by a crash has
;; lost its last line at the most.

(import-macros {: with-ok} :macros)

(local folder ".fen-sessions")
(local largest (* 16 1024 1024))

;; What is known of a session without its messages.
(fn described [path [{: id : cwd : timestamp} &as objects]]
  (let [info {: id : path : cwd : timestamp :message-count 0}]
    (each [_ object (ipairs objects)]
      (case object
        {:type :message} (set info.message-count (+ info.message-count 1))
        {:type :title : title} (set info.title title)))
    info))

(fn contains? [text part]
  (not= nil (string.find (string.lower text) (string.lower part) 1 true)))

(fn fits? [info {: cwd : id : text}]
  (and (or (not cwd) (= cwd info.cwd))
       (or (not id) (= id (info.id:sub 1 (length id))))
       (or (not text) (contains? (or info.title "") text))))

(fn newer? [a b]
  (if (= a.timestamp b.timestamp)
      (> a.id b.id)
      (> a.timestamp b.timestamp)))

(fn [api]
  (local json api.json)

  (fn line [value]
    (.. (json.encode value) "\n"))

  (fn decoded [text]
    (case (pcall json.decode text)
      (where (true object) (= :table (type object))) object))

  ;; The objects of a file, in order, as a call of `api` would give them.
  (fn read [path]
    (case (api.fs.read path {:max-bytes largest})
      {:ok true :truncated? true} {:ok false :error (.. path " is larger than 16 MiB")}
      {:ok true : text} (case (icollect [text (text:gmatch "[^\n]+")] (decoded text))
                          (where objects (= :session (?. objects 1 :type)))
                          {:ok true : objects}
                          _ {:ok false :error (.. path " is no session")})
      failure failure))

  ;; Nil for what is no session: one that cannot be read hides no other.
  (fn info-of [{: name :type kind}]
    (when (and (= kind :file) (name:match "%.jsonl$"))
      (let [path (.. folder "/" name)]
        (case (read path)
          {:ok true : objects} (described path objects)))))

  ;; Newest first.
  (fn find [opts]
    (case (api.fs.list folder)
      {:kind :not-found} []
      listed (with-ok [{: entries} listed]
               (doto (icollect [_ entry (ipairs entries)]
                       (case (info-of entry)
                         (where info (fits? info opts)) info))
                 (table.sort newer?)))))

  (fn latest [opts]
    (. (find opts) 1))

  ;; What this gives is handed back to the functions below as `session`. fen reads `info` of it.
  (fn open [{: cwd}]
    ;; A folder that is there already is no failure that matters; writing will tell.
    (api.fs.mkdir folder)
    (let [id (.. (os.date "!%Y%m%d-%H%M%S")
                 (string.format "-%06x" (math.random 0 0xffffff)))
          path (.. folder "/" id ".jsonl")
          timestamp (* 1000 (os.time))]
      (with-ok [_ (api.fs.write path (line {:type :session : id : cwd : timestamp}))]
        {:info {: id : path : cwd : timestamp} : path})))

  (fn open-existing [path]
    (with-ok [{: objects} (read path)]
      {:info (described path objects) : path}))

  ;; An answer with `:ok false` counts as a failure, so that of `fs` can be given as it is.
  (fn append-line [{: path} object]
    (api.fs.append path (line object)))

  (fn append [session message]
    (append-line session {:type :message : message}))

  (fn rename! [session title]
    (append-line session {:type :title : title}))

  ;; What is neither a message nor a title, such as the state that extensions keep in a session.
  (fn append-entry [session entry]
    (append-line session {:type :entry : entry}))

  (fn load [path]
    (with-ok [{: objects} (read path)]
      (icollect [_ {: message} (ipairs objects)] message)))

  (fn load-entries [path]
    (with-ok [{: objects} (read path)]
      (icollect [_ {: entry} (ipairs objects)] entry)))

  (fn delete! [path]
    (api.fs.remove path))

  (fn close [_session]
    "Each append has written its line; nothing is held open."
    nil)

  (api.register :session-backend {:name :json-lines
                                  : open
                                  : open-existing
                                  : append
                                  : append-entry
                                  : rename!
                                  : load
                                  : load-entries
                                  : find
                                  :list find
                                  : latest
                                  : delete!
                                  : close}))
