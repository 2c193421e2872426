//! What words of other languages are called in Fennel, for those who look for them.

/// What to write for a word that is unknown here and known elsewhere.
pub(crate) fn advice(word: &str) -> Option<&'static str> {
    Some(match word {
        "function" | "defn" | "defun" | "func" | "def" => {
            "a function is written (fn name [parameters] …)"
        }
        "define" | "defvar" | "const" | "defparameter" => "a name is bound with (local name value)",
        "setq" | "set!" | "setf" => "(set name value) changes a var",
        "return" => "the last form of a function is what it gives; there is no return",
        "break" | "continue" => "end a loop with &until: (each [k v (pairs t) &until done] …)",
        "else" | "elseif" | "elif" | "then" | "end" | "cond" => {
            "write (if condition value condition value otherwise), closed by its parenthesis"
        }
        "switch" => "write (case value pattern body …)",
        "begin" | "progn" | "block" => "several forms in one are written (do …)",
        "foreach" | "dolist" | "loop" | "repeat" | "until" => {
            "loops are each, for and while: (each [k v (pairs t)] …)"
        }
        "map" | "filter" => "write (icollect [_ v (ipairs t)] (f v)); what gives nil is left out",
        "reduce" | "fold" => "write (accumulate [sum 0 _ v (ipairs t)] (+ sum v))",
        "==" | "===" | "eq" | "equal?" => "write (= a b)",
        "!=" | "!==" | "/=" | "<>" => "write (not= a b)",
        "&&" => "write (and a b)",
        "||" => "write (or a b)",
        "!" => "write (not x)",
        "++" | "+=" | "inc" => "write (set x (+ x 1))",
        "--" | "-=" => "write (set x (- x 1)); a comment begins with ;",
        "null" | "None" | "undefined" | "NULL" => "it is called nil",
        "True" | "TRUE" => "it is called true",
        "False" | "FALSE" => "it is called false",
        "println" | "printf" | "echo" | "puts" => "write (print …)",
        "len" | "count" | "size" => "write (length x)",
        "concat" | "str" => "write (.. a b)",
        "import" | "include" | "use" => "write (local name (require :module))",
        "try" | "catch" | "except" => "write (pcall function argument …)",
        "throw" | "raise" => "write (error message)",
        "format" | "sprintf" => "write (string.format …)",
        "unpack" => "write (table.unpack t)",
        "this" => "a method takes itself as its first parameter: (fn t.m [self] …)",
        "new" => "a table is written {:key value} or [1 2 3]",
        _ => return None,
    })
}
