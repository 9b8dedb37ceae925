;;; Emacs with Eglot and the server, in a copy of `site/' that is the current folder.  `run' starts it.
;; -*- lexical-binding: t -*-
(require 'package)
(package-initialize)
(require 'eglot)
(require 'flymake)
(require 'subr-x)

(defun fail (text &rest rest)
  (message "FAILED: %s" (apply #'format text rest))
  (kill-emacs 1))
(defun check (is text)
  (unless is (fail "%s" text))
  (message "ok   %s" text))
(defmacro wait (text &rest body)
  "Wait until BODY is not nil."
  `(let ((end (+ (float-time) 20)))
     (while (not (progn ,@body))
       (when (> (float-time) end) (fail "waited in vain: %s" ,text))
       (accept-process-output nil 0.05))
     (message "ok   %s" ,text)))
(defun text-of (file) (with-temp-buffer (insert-file-contents file) (buffer-string)))
(defun after (text) (goto-char (point-min)) (search-forward text))
(defun reported ()
  ;; Nobody is idle here.
  (eglot--signal-textDocument/didChange)
  (flymake-start)
  (mapconcat (lambda (each)
               (format "%d:%s" (line-number-at-pos (flymake-diagnostic-beg each))
                       (car (split-string (flymake-diagnostic-text each) "\n"))))
             (flymake-diagnostics) ", "))
(defun request (method params) (jsonrpc-request (eglot-current-server) method params))

(setq eglot-sync-connect 20
      eglot-connect-timeout 20
      eglot-autoshutdown nil
      eglot-confirm-server-initiated-edits nil
      make-backup-files nil
      create-lockfiles nil
      flymake-no-changes-timeout 0.1)
;; The settings of the guide.
(with-temp-buffer
  (insert-file-contents (getenv "GUIDE"))
  (search-forward "```lisp\n")
  (let ((start (point)))
    (search-forward "\n```\n")
    (eval-region start (match-beginning 0))))

(let ((root default-directory))
  (find-file "content/pages/index.md")
  (check (eq major-mode 'markdown-mode) "a text has the mode of Markdown")
  ;; Between two commands of a person.
  (run-hooks 'post-command-hook)
  (check (eglot-current-server) "Eglot starts the server")
  (wait "the broken link is reported at its place"
        (string-match-p "^5:.*/abuot" (reported)))

  (after "site.em")
  (let ((hover (request :textDocument/hover (eglot--TextDocumentPositionParams))))
    (check (string-match-p "hello@bakery\\.test" (plist-get (plist-get hover :contents) :value)) "hovering shows the value of a reference"))

  (call-interactively #'xref-find-definitions)
  (check (and (string-suffix-p "content/site.yaml" (buffer-file-name)) (= (line-number-at-pos) 4)) "the definition of a reference is in site.yaml")
  (find-file (expand-file-name "content/pages/index.md" root))

  ;; Text that is not saved.
  (goto-char (point-max))
  (insert "\nä𝄞 {{ site. }} and [x](/")
  (eglot--signal-textDocument/didChange)
  (let* ((list (funcall (nth 2 (eglot-completion-at-point)) "" nil t)))
    (check (cl-some (lambda (each) (string-prefix-p "/about" each)) list) "links are completed"))
  (search-backward " }}")
  (let* ((found (eglot-completion-at-point))
         (list (funcall (nth 2 found) "" nil t))
         (email (cl-find "email" list :test #'string-prefix-p)))
    (check email "references are completed")
    (check (string-match-p "hello@bakery\\.test" (or (funcall (plist-get (nthcdr 3 found) :annotation-function) email) "")) "with their values"))
  (wait "text that is not saved is checked" (string-match-p "[89]:" (reported)))
  (delete-region (progn (goto-char (point-max)) (line-beginning-position 0)) (point-max))
  (wait "what is taken back is no longer reported" (string-match-p "\\`5:[^,]*\\'" (reported)))

  ;; The lamp: Emacs asks which action.
  (after "/abuo")
  ;; It asks in a menu after a click, and in the minibuffer after a key.
  (let ((last-nonmenu-event ?a) offered)
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_prompt all &rest _) (setq offered (mapcar (lambda (each) (if (consp each) (car each) each)) all)) (car offered))))
      (call-interactively #'eglot-code-actions))
    (check (or (null offered) (string-match-p "/about" (car offered))) (format "the first action is the repair: %S" offered)))
  (check (save-excursion (goto-char (point-min)) (search-forward "](/about)" nil t)) "the repair is applied")
  (wait "nothing is wrong after it" (string= (reported) ""))
  (save-buffer)
  (check (string-match-p "](/about)" (text-of "index.md")) "it is saved")

  ;; A key of one's own: in the site, and where a text shows it.
  (after "labels.open")
  (eglot-rename "opens")
  (save-some-buffers t)
  (check (string-match-p "{{ site.labels.opens }}" (text-of "index.md")) "renaming a key changes its references")
  (check (string-match-p "^  opens: seven" (text-of "../site.yaml")) "and the file that declares it")
  (wait "and nothing is wrong after it" (string= (reported) ""))

  ;; Eglot cannot rename files.
  (after "(/abo")
  (princ (format "     %S\n" (condition-case failure (eglot-rename "/bread") (error failure))))
  (check (and (file-exists-p "about.md") (not (file-exists-p "bread.md"))) "a page is not renamed")
  (check (not (string-match-p "/bread" (buffer-string))) "and neither are its links")

  (find-file (expand-file-name "templates/pages/page.html" root))
  (run-hooks 'post-command-hook)
  (check (eglot-managed-p) "a template has the server too")
  (after "<main>\n")
  (insert "{{ page.titel }}\n")
  (wait "a template that is not saved is checked" (string-match-p "^[0-9]+:.*titel" (reported)))
  (message "     %s" (reported))
  (set-buffer-modified-p nil)
  (check (= 1 (length (apply #'append (hash-table-values eglot--servers-by-project)))) "one server answers for all files")
  (eglot-shutdown (eglot-current-server))
  (message "ok   the server ends"))
