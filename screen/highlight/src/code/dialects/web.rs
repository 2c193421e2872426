//! Languages of browsers and services.

use super::*;

const SCRIPT_STRINGS: &[Quote] = &[
    Quote { escape: Escape::Backslash, holes: Holes::DollarBrace, ..Quote::BACKTICK },
    Quote::DOUBLE,
    Quote::SINGLE,
];

const SCRIPT: Dialect = Dialect {
    keywords: "async await break case catch class const continue debugger default delete do else enum \
               export extends finally for function if import in instanceof let new of return static \
               super switch this throw try typeof var void while with yield implements",
    soft_keywords: "abstract accessor as asserts declare from get infer interface is keyof module \
                    namespace out override private protected public readonly satisfies set type unique \
                    using",
    constants: "true false null undefined NaN Infinity",
    define_functions: "function",
    define_types: "class enum interface type namespace extends",
    word_start: "$#",
    word_more: "$",
    strings: SCRIPT_STRINGS,
    ..SLASHES
};

/// JavaScript, with elements.
pub(crate) static JAVASCRIPT: Dialect = Dialect {
    quirks: &[
        Quirk::AtAttributes,
        Quirk::Calls,
        Quirk::CapitalTypes,
        Quirk::Jsx,
        Quirk::RegularExpressions,
    ],
    types: TYPES,
    ..SCRIPT
};

const TYPES: &str = "any bigint boolean never number object string symbol unknown";

/// TypeScript without elements: there `<T>` before a value is a type.
pub(crate) static TYPESCRIPT: Dialect = Dialect {
    types: TYPES,
    quirks: &[Quirk::AtAttributes, Quirk::Calls, Quirk::CapitalTypes, Quirk::RegularExpressions],
    ..SCRIPT
};

pub(crate) static PHP: Dialect = Dialect {
    keywords: "abstract and array as break callable case catch class clone const continue declare \
               default do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile \
               enum eval exit extends final finally fn for foreach function global goto if implements \
               include include_once instanceof insteadof interface isset list match namespace new or \
               print private protected public readonly require require_once return static switch throw \
               trait try unset use var while xor yield self parent php",
    types: "bool float int iterable mixed never object string void",
    constants: "true false null TRUE FALSE NULL",
    define_functions: "function fn",
    define_types: "class interface trait enum extends",
    line_comments: &["//", "#"],
    strings: &[
        Quote { holes: Holes::Dollar, ..Quote::DOUBLE_LINES },
        Quote::SINGLE_LINES,
        Quote::BACKTICK,
    ],
    quirks: &[
        Quirk::Calls,
        Quirk::CapitalTypes,
        Quirk::DollarVariables,
        Quirk::HashAttributes,
        Quirk::Heredocs,
        Quirk::IgnoreCase,
    ],
    ..SLASHES
};

pub(crate) static SQL: Dialect = Dialect {
    keywords: "add all alter analyze and any as asc begin between by cascade case check collate column \
               commit conflict constraint create cross cube current database declare default deferrable \
               delete desc distinct do drop else end except exists explain fetch filter first following \
               for foreign from full function grant group having if ilike in index inner insert \
               intersect into is isolation join key last lateral left level like limit local materialized \
               merge natural next not nothing nulls of offset on only or order outer over partition \
               preceding primary procedure range recursive references rename replace restrict returning \
               returns revoke right rollback row rows schema select sequence set some table temp \
               temporary then to transaction trigger truncate unbounded union unique update use using \
               values view when where window with",
    types: "array bigint bigserial binary bit blob bool boolean bytea char character clob date datetime \
            decimal double float int integer interval json jsonb nchar numeric nvarchar precision real \
            serial smallint text time timestamp timestamptz tinyint uuid varbinary varchar varying",
    constants: "true false null current_date current_time current_timestamp",
    line_comments: &["--"],
    block_comments: &[("/*", "*/")],
    strings: &[
        Quote { escape: Escape::Doubled, ..Quote::SINGLE_LINES },
        Quote { escape: Escape::Doubled, ..Quote::DOUBLE },
        Quote::BACKTICK,
    ],
    quirks: &[Quirk::AtVariables, Quirk::Calls, Quirk::CapitalCalls, Quirk::IgnoreCase],
    ..Dialect::NONE
};

pub(crate) static GRAPHQL: Dialect = Dialect {
    keywords: "directive enum extend fragment implements input interface mutation on query repeatable \
               scalar schema subscription type union",
    types: "Int Float String Boolean ID",
    constants: "true false null",
    define_types: "enum fragment input interface scalar type union",
    define_functions: "query mutation subscription",
    strings: &[Quote::TRIPLE_DOUBLE, Quote::DOUBLE],
    quirks: &[Quirk::AtAttributes, Quirk::Calls, Quirk::CapitalTypes, Quirk::DollarVariables],
    ..HASHES
};

pub(crate) static PROTOBUF: Dialect = Dialect {
    keywords: "syntax edition package import public weak option message enum service rpc returns stream \
               oneof map extend extensions reserved to max repeated optional required group",
    types: "double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool \
            string bytes",
    constants: "true false",
    define_types: "message enum service",
    define_functions: "rpc",
    strings: &[Quote::DOUBLE, Quote::SINGLE],
    quirks: &[Quirk::CapitalTypes],
    ..SLASHES
};

pub(crate) static SOLIDITY: Dialect = Dialect {
    keywords: "abstract anonymous as assembly break calldata catch constant constructor continue \
               contract delete do else emit enum error event external fallback for function if immutable \
               import indexed interface internal is library mapping memory modifier new override payable \
               pragma private public pure receive return returns revert storage struct super this try \
               type unchecked using view virtual while",
    types: "address bool bytes bytes32 int int256 string uint uint8 uint16 uint32 uint64 uint128 uint256",
    constants: "true false wei gwei ether msg block tx",
    define_functions: "function modifier event error",
    define_types: "contract interface library struct enum",
    strings: &[Quote::DOUBLE, Quote::SINGLE],
    quirks: &[Quirk::Calls, Quirk::CapitalTypes],
    ..SLASHES
};

/// The shader language of WebGPU.
pub(crate) static WGSL: Dialect = Dialect {
    keywords: "alias break case const const_assert continue continuing default diagnostic discard else \
               enable fn for if let loop override requires return struct switch var while",
    types: "array atomic bool f16 f32 i32 mat2x2 mat3x3 mat4x4 ptr sampler texture_2d u32 vec2 vec3 vec4 \
            vec2f vec3f vec4f",
    constants: "true false",
    define_functions: "fn",
    define_types: "struct alias",
    quirks: &[Quirk::AtAttributes, Quirk::Calls, Quirk::CapitalTypes, Quirk::NestedComments],
    ..SLASHES
};
