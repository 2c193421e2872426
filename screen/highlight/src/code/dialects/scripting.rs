//! Languages that are mostly interpreted.

use super::*;
use crate::Token;

pub(crate) static PYTHON: Dialect = Dialect {
    keywords: "and as assert async await break class continue def del elif else except finally for from \
               global if import in is lambda nonlocal not or pass raise return try while with yield",
    soft_keywords: "match case type",
    types: "bool bytes bytearray complex dict float frozenset int list object set str tuple type",
    constants: "True False None NotImplemented Ellipsis self cls",
    functions: "abs all any callable chr dir divmod enumerate eval filter format getattr globals hasattr \
                hash help hex id input isinstance issubclass iter len locals map max min next oct open \
                ord pow print range repr reversed round setattr slice sorted sum super vars zip",
    define_functions: "def",
    define_types: "class",
    strings: &[
        Quote { prefixes: F, holes: Holes::Brace, ..Quote::TRIPLE_DOUBLE },
        Quote { prefixes: F, holes: Holes::Brace, ..Quote::TRIPLE_SINGLE },
        Quote { prefixes: F, holes: Holes::Brace, ..Quote::DOUBLE },
        Quote { prefixes: F, holes: Holes::Brace, ..Quote::SINGLE },
        Quote { prefixes: R, ..Quote::TRIPLE_DOUBLE },
        Quote { prefixes: R, ..Quote::TRIPLE_SINGLE },
        Quote { prefixes: R, ..Quote::DOUBLE },
        Quote { prefixes: R, ..Quote::SINGLE },
        Quote::TRIPLE_DOUBLE,
        Quote::TRIPLE_SINGLE,
        Quote::DOUBLE,
        Quote::SINGLE,
    ],
    quirks: &[Quirk::AtAttributes, Quirk::Calls, Quirk::CapitalTypes],
    ..HASHES
};

const F: Prefixes = Prefixes::Needed("f rf fr t rt tr");
const R: Prefixes = Prefixes::Needed("r b br rb u");

pub(crate) static RUBY: Dialect = Dialect {
    keywords: "alias and begin break case class def defined? do else elsif end ensure for if in module \
               next not or redo rescue retry return self super then undef unless until when while yield \
               require require_relative include extend prepend attr_reader attr_writer attr_accessor \
               private protected public raise lambda proc loop",
    constants: "true false nil __FILE__ __LINE__ __dir__",
    functions: "puts print p pp format sprintf gets",
    define_functions: "def",
    define_types: "class module",
    word_more: "?",
    block_comments: &[("=begin", "=end")],
    strings: &[
        Quote { holes: Holes::HashBrace, ..Quote::DOUBLE_LINES },
        Quote::SINGLE_LINES,
        Quote { holes: Holes::HashBrace, ..Quote::BACKTICK },
    ],
    quirks: &[
        Quirk::AtVariables,
        Quirk::Calls,
        Quirk::CapitalTypes,
        Quirk::ColonSymbols,
        Quirk::Heredocs,
        Quirk::LabelConstants,
        Quirk::RegularExpressions,
    ],
    ..HASHES
};

pub(crate) static PERL: Dialect = Dialect {
    keywords: "and bless cmp continue default defined delete die do each else elsif eq eval exists for \
               foreach ge given goto grep gt if join keys last le local lt map my ne next no not or our \
               package print printf push pop ref require return reverse say scalar shift sort splice split \
               state sub undef unless unshift until use values wantarray warn when while xor",
    constants: "__FILE__ __LINE__ __PACKAGE__",
    define_functions: "sub",
    define_types: "package",
    block_comments: &[("=pod", "=cut"), ("=head", "=cut"), ("=over", "=cut"), ("=begin", "=cut")],
    strings: &[
        Quote { holes: Holes::Dollar, ..Quote::DOUBLE_LINES },
        Quote::SINGLE_LINES,
        Quote::BACKTICK,
    ],
    quirks: &[
        Quirk::AtVariables,
        Quirk::Calls,
        Quirk::CapitalTypes,
        Quirk::DollarVariables,
        Quirk::Heredocs,
        Quirk::RegularExpressions,
    ],
    ..HASHES
};

pub(crate) static LUA: Dialect = Dialect {
    keywords: "and break do else elseif end for function goto if in local not or repeat return then until \
               while continue",
    soft_keywords: "type export",
    constants: "true false nil self _G _ENV",
    functions: "assert collectgarbage dofile error getmetatable ipairs load loadfile next pairs pcall print \
                rawequal rawget rawset require select setmetatable tonumber tostring type unpack xpcall",
    define_functions: "function",
    strings: &[Quote::DOUBLE, Quote::SINGLE],
    quirks: &[Quirk::Calls, Quirk::LongBrackets],
    ..Dialect::NONE
};

pub(crate) static R_LANGUAGE: Dialect = Dialect {
    keywords: "break else for function if in next repeat return while library require",
    constants: "TRUE FALSE NULL NA NA_integer_ NA_real_ NA_character_ Inf NaN T F",
    word_start: ".",
    word_more: ".",
    strings: &[Quote::DOUBLE_LINES, Quote::SINGLE_LINES, Quote::BACKTICK],
    quirks: &[Quirk::Calls, Quirk::CapitalCalls],
    ..HASHES
};

pub(crate) static JULIA: Dialect = Dialect {
    keywords: "abstract baremodule begin break catch const continue do else elseif end export finally for \
               function global if import in isa let local macro module mutable outer primitive quote \
               return struct try type using where while",
    constants: "true false nothing missing Inf NaN pi",
    define_functions: "function macro",
    define_types: "struct module",
    word_more: "!",
    block_comments: &[("#=", "=#")],
    strings: &[
        Quote { holes: Holes::DollarParenthesis, ..Quote::TRIPLE_DOUBLE },
        Quote { holes: Holes::DollarParenthesis, ..Quote::DOUBLE_LINES },
    ],
    quirks: &[
        Quirk::AtFunctions,
        Quirk::Calls,
        Quirk::CapitalTypes,
        Quirk::Characters,
        Quirk::ColonSymbols,
        Quirk::NestedComments,
    ],
    ..HASHES
};

pub(crate) static POWERSHELL: Dialect = Dialect {
    keywords: "begin break catch class continue data do dynamicparam else elseif end enum exit filter \
               finally for foreach from function hidden if in param process return static switch throw \
               trap try until using while eq ne gt ge lt le like match and or not is",
    functions: "echo cd ls dir cat cp mv rm select where sort",
    define_functions: "function filter",
    define_types: "class enum",
    word_more: "-",
    block_comments: &[("<#", "#>")],
    strings: &[
        Quote {
            open: "@\"",
            close: "\"@",
            span: Span::Lines,
            holes: Holes::DollarParenthesis,
            escape: Escape::None,
            ..Quote::DOUBLE
        },
        Quote { open: "@'", close: "'@", span: Span::Lines, escape: Escape::None, ..Quote::DOUBLE },
        Quote { holes: Holes::DollarParenthesis, escape: Escape::Doubled, ..Quote::DOUBLE_LINES },
        Quote { escape: Escape::Doubled, ..Quote::SINGLE_LINES },
    ],
    quirks: &[Quirk::Calls, Quirk::DashedCommands, Quirk::DollarVariables, Quirk::IgnoreCase],
    ..HASHES
};

pub(crate) static BATCH: Dialect = Dialect {
    keywords: "call cd choice cls copy defined del do echo else endlocal equ errorlevel exist exit for geq \
               goto gtr if in leq lss md mkdir move neq not nul off on pause popd pushd rd ren rmdir set \
               setlocal shift start title type",
    line_comments: &["::", "REM ", "rem ", "@REM ", "@rem "],
    strings: &[
        Quote { escape: Escape::None, ..Quote::DOUBLE },
        Quote {
            open: "%",
            close: "%",
            escape: Escape::None,
            token: Token::Variable,
            ..Quote::DOUBLE
        },
    ],
    quirks: &[Quirk::ColonSymbols, Quirk::IgnoreCase],
    ..Dialect::NONE
};

pub(crate) static VIM: Dialect = Dialect {
    keywords: "abort augroup autocmd au break call catch colorscheme command const continue def echo echom \
               else elseif endfor endfunction endif endtry endwhile execute export filetype finally for \
               function highlight if import in inoremap let map nmap nnoremap noremap packadd plug return \
               set setlocal silent source syntax throw try unlet vmap vnoremap while",
    constants: "true false v:true v:false v:null",
    define_functions: "function def",
    word_more: ":#",
    line_comments: &["\" ", "# "],
    strings: &[Quote::DOUBLE, Quote { escape: Escape::Doubled, ..Quote::SINGLE }],
    quirks: &[Quirk::Calls, Quirk::CapitalCalls],
    ..Dialect::NONE
};

pub(crate) static AWK: Dialect = Dialect {
    keywords: "BEGIN END break continue delete do else exit for func function getline if in next nextfile \
               print printf return while",
    constants: "FS NF NR OFS ORS RS FNR FILENAME ENVIRON ARGC ARGV RSTART RLENGTH SUBSEP",
    define_functions: "function func",
    strings: &[Quote::DOUBLE],
    quirks: &[Quirk::Calls, Quirk::DollarVariables, Quirk::RegularExpressions],
    ..HASHES
};

pub(crate) static TCL: Dialect = Dialect {
    keywords: "after append array break catch continue else elseif error expr eval for foreach global if \
               incr info lappend lindex list llength namespace package proc puts regexp return set source \
               string switch unset uplevel upvar variable while",
    define_functions: "proc",
    strings: &[Quote { holes: Holes::Dollar, ..Quote::DOUBLE_LINES }],
    quirks: &[Quirk::DollarVariables],
    ..HASHES
};

pub(crate) static GDSCRIPT: Dialect = Dialect {
    keywords: "and as assert await break breakpoint class class_name const continue elif else enum extends \
               for func if in is match not or pass preload return signal static super var while yield when",
    types: "bool float int void",
    constants: "true false null self PI TAU INF NAN",
    define_functions: "func signal",
    define_types: "class class_name extends enum",
    word_start: "$",
    strings: &[Quote::TRIPLE_DOUBLE, Quote::DOUBLE, Quote::SINGLE],
    quirks: &[Quirk::AtAttributes, Quirk::Calls, Quirk::CapitalTypes],
    ..HASHES
};
