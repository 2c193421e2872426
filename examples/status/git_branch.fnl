;; description: The git branch in the status row
;; capabilities: process
;; requires.programs: git

;; `render` must answer at once and cannot wait for a program. So the branch is looked up when
;; something may have changed it, and `render` hands out what was found.

(fn [api]
  (var branch nil)

  (fn look []
    ;; `ok` says that git ran; `code` says whether it liked what it saw.
    (let [found (case (api.process.run [:git :branch "--show-current"] {:timeout-ms 2000})
                  {:ok true :code 0 : stdout} (stdout:match "^%S+"))]
      (when (not= found branch)
        (set branch found)
        (api.emit {:type :redraw}))))

  (api.register :status {:name :git-branch
                         :order 20
                         ;; nil hides the item, outside of a repository and on a detached HEAD.
                         :render #(when branch
                                    {:text (.. "git:" branch) :style :accent})})

  (api.on :agent-started look)
  ;; The agent may have changed the branch.
  (api.on :agent-turn-complete look))
