//! Languages of virtual machines.

use super::*;

pub(crate) static JAVA: Dialect = Dialect {
    keywords: "abstract assert break case catch class const continue default do else enum extends \
               final finally for goto if implements import instanceof interface native new package \
               private protected public return static strictfp super switch synchronized this throw \
               throws transient try volatile while",
    soft_keywords: "record sealed permits var yield module requires exports opens when non",
    types: "boolean byte char double float int long short void",
    constants: "true false null",
    define_types: "class interface enum record extends implements",
    strings: &[Quote::TRIPLE_DOUBLE, Quote::DOUBLE, Quote::SINGLE],
    quirks: &[Quirk::AtAttributes, Quirk::Calls, Quirk::CapitalTypes],
    ..SLASHES
};

pub(crate) static KOTLIN: Dialect = Dialect {
    keywords: "abstract actual annotation as break by catch class companion const constructor \
               continue crossinline data do else enum expect external final finally for fun get if \
               import in infix init inline inner interface internal is lateinit noinline object open \
               operator out override package private protected public reified return sealed set super \
               suspend tailrec this throw try typealias val var vararg when where while",
    constants: "true false null it",
    define_functions: "fun",
    define_types: "class interface object typealias",
    strings: &[
        Quote { holes: Holes::Dollar, escape: Escape::None, ..Quote::TRIPLE_DOUBLE },
        Quote { holes: Holes::Dollar, ..Quote::DOUBLE },
        Quote::SINGLE,
    ],
    quirks: &[Quirk::AtAttributes, Quirk::Calls, Quirk::CapitalTypes, Quirk::NestedComments],
    ..SLASHES
};

pub(crate) static SCALA: Dialect = Dialect {
    keywords: "abstract case catch class def derives do else enum export extends extension final \
               finally for forSome given if implicit import inline lazy match new object opaque open \
               override package private protected return sealed super then this throw trait try type \
               using val var while with yield",
    constants: "true false null",
    define_functions: "def",
    define_types: "class trait object enum type",
    strings: &[
        Quote {
            holes: Holes::Dollar,
            prefixes: Prefixes::Needed("s f raw"),
            ..Quote::TRIPLE_DOUBLE
        },
        Quote { holes: Holes::Dollar, prefixes: Prefixes::Needed("s f raw"), ..Quote::DOUBLE },
        Quote::TRIPLE_DOUBLE,
        Quote::DOUBLE,
    ],
    quirks: &[
        Quirk::AtAttributes,
        Quirk::Calls,
        Quirk::CapitalTypes,
        Quirk::Characters,
        Quirk::NestedComments,
    ],
    ..SLASHES
};

pub(crate) static GROOVY: Dialect = Dialect {
    keywords: "abstract as assert break case catch class const continue def default do else enum \
               extends final finally for goto if implements import in instanceof interface native new \
               package private protected public return static super switch synchronized this throw \
               throws trait transient try var volatile while",
    types: "boolean byte char double float int long short void",
    constants: "true false null it",
    define_types: "class interface enum trait",
    strings: &[
        Quote { holes: Holes::Dollar, ..Quote::TRIPLE_DOUBLE },
        Quote::TRIPLE_SINGLE,
        Quote { holes: Holes::Dollar, ..Quote::DOUBLE },
        Quote::SINGLE,
    ],
    quirks: &[Quirk::AtAttributes, Quirk::Calls, Quirk::CapitalTypes],
    ..SLASHES
};

pub(crate) static C_SHARP: Dialect = Dialect {
    keywords: "abstract as async await base break case catch checked class const continue default \
               delegate do else enum event explicit extern finally fixed for foreach goto if implicit \
               in interface internal is lock namespace new operator out override params private \
               protected public readonly ref return sealed sizeof stackalloc static struct switch this \
               throw try typeof unchecked unsafe using virtual volatile while",
    soft_keywords: "and by file from get global group init into join let managed nameof not on or \
                    orderby partial record required scoped select set value var when where with yield",
    types: "bool byte char decimal double dynamic float int long nint nuint object sbyte short string \
            uint ulong ushort void",
    constants: "true false null",
    define_types: "class struct enum interface record",
    strings: &[
        Quote {
            prefixes: Prefixes::Needed("$@ @$"),
            escape: Escape::Doubled,
            holes: Holes::Brace,
            ..Quote::DOUBLE_LINES
        },
        Quote { prefixes: Prefixes::Needed("@"), escape: Escape::Doubled, ..Quote::DOUBLE_LINES },
        Quote { prefixes: Prefixes::Needed("$"), holes: Holes::Brace, ..Quote::TRIPLE_DOUBLE },
        Quote { prefixes: Prefixes::Needed("$"), holes: Holes::Brace, ..Quote::DOUBLE },
        Quote { escape: Escape::None, ..Quote::TRIPLE_DOUBLE },
        Quote::DOUBLE,
        Quote::SINGLE,
    ],
    quirks: &[
        Quirk::BracketAttributes,
        Quirk::Calls,
        Quirk::CapitalCalls,
        Quirk::CapitalTypes,
        Quirk::Preprocessor,
    ],
    ..SLASHES
};

pub(crate) static VISUAL_BASIC: Dialect = Dialect {
    keywords: "addhandler and andalso as byref byval call case catch class const continue declare dim \
               do each else elseif end enum exit finally for friend function get goto handles if \
               implements imports in inherits interface is isnot let lib loop me mod module mustinherit \
               mybase namespace new next not of on option optional or orelse overridable overrides \
               partial private property protected public raise readonly redim return select set shared \
               static step stop structure sub then throw to try using wend when while with",
    types: "boolean byte char date decimal double integer long object short single string variant",
    constants: "true false nothing",
    define_functions: "function sub",
    define_types: "class structure enum interface module",
    line_comments: &["'"],
    strings: &[Quote { escape: Escape::Doubled, ..Quote::DOUBLE }],
    quirks: &[Quirk::Calls, Quirk::CapitalCalls, Quirk::IgnoreCase],
    ..Dialect::NONE
};

pub(crate) static DART: Dialect = Dialect {
    keywords: "abstract as assert async await base break case catch class const continue covariant \
               default deferred do else enum export extends extension external factory final finally \
               for get hide if implements import in interface is late library mixin new on operator \
               part required rethrow return sealed set show static super switch sync this throw try \
               typedef var when while with yield",
    types: "bool double dynamic int num void",
    constants: "true false null",
    define_types: "class enum mixin extension typedef",
    strings: &[
        Quote { prefixes: Prefixes::Needed("r"), escape: Escape::None, ..Quote::SINGLE },
        Quote { prefixes: Prefixes::Needed("r"), escape: Escape::None, ..Quote::DOUBLE },
        Quote { holes: Holes::Dollar, ..Quote::TRIPLE_DOUBLE },
        Quote { holes: Holes::Dollar, ..Quote::TRIPLE_SINGLE },
        Quote { holes: Holes::Dollar, ..Quote::DOUBLE },
        Quote { holes: Holes::Dollar, ..Quote::SINGLE },
    ],
    quirks: &[Quirk::AtAttributes, Quirk::Calls, Quirk::CapitalTypes],
    ..SLASHES
};
