;; description: Asks before commands that delete, and keeps file tools inside the project
;; hooks: before-tool

;; A hook looks at each tool call before it runs. It is a seat belt, not a wall: what a shell command
;; does cannot be known by reading it. The line `hooks:` above matters: should this file fail to
;; load, fen then runs no tool at all instead of running them unguarded.

;; Patterns of commands that somebody should have seen first, and what they do.
(local risky [["%f[%w]rm%s+%-%a*[rRf]" "deletes without asking"]
              ["%f[%w]git%s+reset%s+%-%-hard" "throws changes away"]
              ["%f[%w]git%s+clean%s+%-%a*f" "deletes files that git does not know"]
              ["%f[%w]git%s+push%s.*%-%-force" "overwrites what others have"]
              ["%f[%w]mkfs" "erases a disk"]
              ["%f[%w]dd%s.*of=" "overwrites a file or a disk"]])

;; The tools that change files, and the argument that says which.
(local writers {:write :path :edit :path})

;; The path without `.` and `..`, by its words alone; nil where it climbs above the root.
(fn normal [path]
  (let [parts (accumulate [parts [] part (path:gmatch "[^/]+") &until (not parts)]
                (case part
                  "." parts
                  ".." (when (table.remove parts) parts)
                  _ (doto parts (table.insert part))))]
    (when parts
      (.. "/" (table.concat parts "/")))))

(fn starts-with? [text beginning]
  (= beginning (text:sub 1 (length beginning))))

(fn inside? [path folder]
  (if (starts-with? path "~")
      false
      (not (starts-with? path "/"))
      (inside? (.. folder "/" path) folder)
      (case (values (normal path) (normal folder))
        (path folder) (or (= path folder) (starts-with? path (.. folder "/")))
        _ false)))

(fn risk [command]
  (accumulate [found nil _ [pattern what] (ipairs risky) &until found]
    (when (command:find pattern) what)))

(fn block [...]
  {:block true :reason (string.format ...)})

(fn [api]
  ;; Commands that the person agreed to for as long as fen runs.
  (set api.state.agreed (or api.state.agreed {}))
  (local agreed api.state.agreed)

  (fn ask [command why]
    ;; Without somebody to ask, `select` says so on standard error and gives nil: a refusal.
    (case (api.ui.select
           {:title (.. "The agent wants to run a command that " why ":\n" command)
            :choices [{:label "No" :value :no}
                      {:label "Yes, once" :value :once}
                      {:label "Yes, and this very command again" :value :again}]})
      :once nil
      :again (tset agreed command true)
      _ (block "The person did not agree: it %s." why)))

  (fn before-tool [tool args {: cwd}]
    (let [why (when (= tool :bash) (risk args.command))
          path (. args (or (. writers tool) ""))]
      (if (and why (not (. agreed args.command)))
          (ask args.command why)
          (and path (not (inside? path cwd)))
          (block "%s is outside of the project %s; work inside it." path cwd))))

  (api.register :hook {: before-tool}))
