//! Functional languages and Lisps.

use super::*;

pub(crate) static HASKELL: Dialect = Dialect {
    keywords: "as case class data default deriving do else family forall foreign hiding if import in infix \
               infixl infixr instance let module newtype of pattern qualified then type where",
    constants: "True False Nothing",
    word_more: "'",
    line_comments: &["--"],
    block_comments: &[("{-", "-}")],
    strings: &[Quote::DOUBLE],
    quirks: &[Quirk::CapitalTypes, Quirk::Characters, Quirk::DefinesAtStart, Quirk::NestedComments],
    ..Dialect::NONE
};

/// Elm and PureScript.
pub(crate) static ELM: Dialect = Dialect {
    keywords: "alias as case class data derive do else exposing foreign if import in infix instance let \
               module newtype of port then type where",
    constants: "True False Nothing",
    word_more: "'",
    line_comments: &["--"],
    block_comments: &[("{-", "-}")],
    strings: &[Quote::TRIPLE_DOUBLE, Quote::DOUBLE],
    quirks: &[Quirk::CapitalTypes, Quirk::Characters, Quirk::DefinesAtStart, Quirk::NestedComments],
    ..Dialect::NONE
};

/// OCaml and Standard ML.
pub(crate) static OCAML: Dialect = Dialect {
    keywords: "and as assert begin class constraint do done downto else end exception external for fun \
               function functor if in include inherit initializer lazy let match method mod module mutable \
               new nonrec object of open or private rec sig struct then to try type val virtual when while \
               with",
    types: "array bool bytes char exn float int list option result string unit",
    constants: "true false",
    define_types: "type",
    define_functions: "val external",
    word_more: "'",
    block_comments: &[("(*", "*)")],
    strings: &[Quote::DOUBLE_LINES],
    quirks: &[Quirk::CapitalTypes, Quirk::Characters, Quirk::Lifetimes, Quirk::NestedComments],
    ..Dialect::NONE
};

pub(crate) static F_SHARP: Dialect = Dialect {
    keywords: "abstract and as assert async base begin class default delegate do done downcast downto elif \
               else end exception extern finally fixed for fun function global if in inherit inline interface \
               internal lazy let match member module mutable namespace new not of open or override private \
               public rec return select static struct task then to try type upcast use val void when while \
               with yield",
    types: "bool byte char decimal double float int int64 list obj option seq string unit",
    constants: "true false null",
    define_types: "type",
    word_more: "'",
    block_comments: &[("(*", "*)")],
    line_comments: &["//"],
    strings: &[
        Quote { prefixes: Prefixes::Needed("$"), holes: Holes::Brace, ..Quote::DOUBLE_LINES },
        Quote { escape: Escape::None, ..Quote::TRIPLE_DOUBLE },
        Quote::DOUBLE_LINES,
    ],
    quirks: &[
        Quirk::Calls,
        Quirk::CapitalTypes,
        Quirk::Characters,
        Quirk::Lifetimes,
        Quirk::NestedComments,
        Quirk::Preprocessor,
    ],
    ..Dialect::NONE
};

pub(crate) static ELIXIR: Dialect = Dialect {
    keywords: "after alias and case catch cond def defdelegate defexception defguard defimpl defmacro \
               defmacrop defmodule defp defprotocol defstruct do else end fn for if import in not or quote \
               raise receive require rescue super throw try unless unquote use when with",
    constants: "true false nil __MODULE__ __DIR__",
    define_functions: "def defp defmacro defmacrop defguard defdelegate",
    define_types: "defmodule defprotocol defimpl",
    word_more: "?!",
    strings: &[
        Quote { holes: Holes::HashBrace, ..Quote::TRIPLE_DOUBLE },
        Quote { holes: Holes::HashBrace, ..Quote::DOUBLE_LINES },
        Quote { holes: Holes::HashBrace, ..Quote::SINGLE_LINES },
    ],
    quirks: &[
        Quirk::AtAttributes,
        Quirk::Calls,
        Quirk::CapitalTypes,
        Quirk::ColonSymbols,
        Quirk::LabelConstants,
    ],
    ..HASHES
};

pub(crate) static ERLANG: Dialect = Dialect {
    keywords: "after and andalso band begin bnot bor bsl bsr bxor case catch cond div else end fun if let \
               maybe not of or orelse receive rem try when xor module export import record define include \
               behaviour spec type opaque",
    constants: "true false undefined ok error",
    word_more: "@",
    line_comments: &["%"],
    strings: &[Quote::TRIPLE_DOUBLE, Quote::DOUBLE_LINES, Quote::SINGLE],
    quirks: &[Quirk::Calls, Quirk::CapitalTypes, Quirk::DefinesAtStart],
    ..Dialect::NONE
};

pub(crate) static GLEAM: Dialect = Dialect {
    keywords: "as assert auto case const delegate derive echo else fn if implement import let macro opaque \
               panic pub test todo type use",
    constants: "True False Nil",
    define_functions: "fn",
    define_types: "type",
    line_comments: &["//"],
    strings: &[Quote::DOUBLE_LINES],
    quirks: &[Quirk::AtAttributes, Quirk::Calls, Quirk::CapitalTypes],
    ..Dialect::NONE
};

pub(crate) static NIX: Dialect = Dialect {
    keywords: "assert else if in inherit let or rec then with import",
    constants: "true false null",
    functions: "abort baseNameOf builtins derivation fetchTarball map removeAttrs throw toString",
    word_more: "-'",
    block_comments: &[("/*", "*/")],
    strings: &[
        Quote {
            open: "''",
            close: "''",
            escape: Escape::None,
            span: Span::Lines,
            holes: Holes::DollarBrace,
            ..Quote::DOUBLE
        },
        Quote { holes: Holes::DollarBrace, ..Quote::DOUBLE_LINES },
    ],
    quirks: &[Quirk::KeysBeforeEquals],
    ..HASHES
};

const LISP_START: &str = "+-*/<>=!?&%$.|:^~#";
const LISP_MORE: &str = "+-*/<>=!?&%$.|:^~#'";

pub(crate) static FENNEL: Dialect = Dialect {
    keywords: "fn lambda λ let local var global set tset if when unless do each for while icollect collect \
               fcollect accumulate faccumulate match match-try case case-try import-macros macro macros \
               macrodebug eval-compiler require-macros values hashfn partial doto with-open quote and or \
               not lua include tail! -> ->> -?> -?>> ?.",
    constants: "true false nil ...",
    define_functions: "fn lambda λ macro",
    word_start: LISP_START,
    word_more: LISP_MORE,
    line_comments: &[";"],
    strings: &[Quote::DOUBLE_LINES],
    quirks: &[Quirk::Lisp],
    ..Dialect::NONE
};

pub(crate) static CLOJURE: Dialect = Dialect {
    keywords: "ns def defn defn- defmacro defmulti defmethod defprotocol defrecord deftype deftest defonce \
               fn let loop recur if if-not if-let when when-not when-let when-first cond condp case do \
               doseq dotimes for while try catch finally throw quote var new set! import require use \
               binding letfn and or not -> ->> as-> some-> some->> cond-> cond->> reify proxy extend-type",
    constants: "true false nil",
    define_functions: "def defn defn- defmacro defmulti defmethod defonce deftest",
    define_types: "defprotocol defrecord deftype ns",
    word_start: LISP_START,
    word_more: LISP_MORE,
    line_comments: &[";"],
    strings: &[Quote::DOUBLE_LINES],
    quirks: &[Quirk::Lisp],
    ..Dialect::NONE
};

/// Common Lisp, Emacs Lisp, Scheme, Racket and what else is written like them.
pub(crate) static LISP: Dialect = Dialect {
    keywords: "and begin block call/cc case catch cond declare defclass defconst defconstant defcustom \
               defgeneric define define-macro define-record-type define-syntax defmacro defmethod \
               defpackage defparameter defstruct defun defvar do dolist dotimes else eval-when flet go if \
               in-package labels lambda let let* let-values letrec loop macrolet match module multiple-value-bind \
               not or pcase prog1 progn provide quasiquote quote require return return-from set! setf setq \
               struct syntax-rules tagbody throw unless unwind-protect use-package when while",
    constants: "t nil #t #f #true #false",
    define_functions: "defun defmacro defmethod defgeneric define-macro define-syntax defvar defparameter \
                       defcustom defconst",
    define_types: "defclass defstruct struct define-record-type",
    word_start: LISP_START,
    word_more: LISP_MORE,
    line_comments: &[";"],
    block_comments: &[("#|", "|#")],
    strings: &[Quote::DOUBLE_LINES],
    quirks: &[Quirk::Lisp, Quirk::NestedComments],
    ..Dialect::NONE
};
