;; description: An API key from a file of yours, or typed in for this run
;; capabilities: fs

;; A provider says `:auth :key-file` (and asks for the capability `auth:key-file`); fen then asks
;; here before each request. Make the file so that nobody else can read it:
;;   (umask 077; cat > ~/.key-file)

(local file "~/.key-file")

(fn [api]
  ;; A key that was typed in. A local and not `api.state`: it goes with this generation of the code.
  (var typed nil)

  (fn from-file []
    (case (api.fs.read file {:max-bytes 4096})
      {:ok true : text} (text:match "%S+")
      {:kind :not-found} nil
      ;; A file that is there and cannot be read is worth words; one that is not there is not.
      {:error words} (error words 0)))

  (fn login! []
    (if (api.ui.has-ui?)
        (case (api.ui.prompt {:text "API key:" :secret true})
          (where key (not= key ""))
          (do
            (set typed key)
            {:ok true})
          _ {:ok false :error "no key was given"})
        ;; `fen --login key-file` comes here: no conversation runs, so nobody can be asked.
        (from-file)
        {:ok true}
        {:ok false :error (string.format "there is no key in %s; write it there" file)}))

  (fn logout! []
    (set typed nil))

  (api.register :auth-backend {:name :key-file
                               :api-key #(or typed (from-file))
                               : login!
                               : logout!
                               ;; It is shown in lists and must answer at once, so it does not look at the disk.
                               :status #(if typed
                                            "a key was typed in"
                                            (.. "reads " file))})

  (api.register :command {:name :key
                          :description "Type in an API key for this run"
                          :handler (fn []
                                     (case (login!)
                                       {:ok true}
                                       (api.ui.notify "the key is set for this run")
                                       {: error} (api.ui.notify error)))}))
