//! Data and settings, and small languages of tools.

use super::*;

/// JSON, with the comments that JSONC and JSON5 have.
pub(crate) static JSON: Dialect = Dialect {
    constants: "true false null NaN Infinity",
    strings: &[Quote::DOUBLE, Quote::SINGLE],
    quirks: &[Quirk::KeysBeforeColon],
    ..SLASHES
};

pub(crate) static TOML: Dialect = Dialect {
    constants: "true false inf nan",
    strings: &[
        Quote::TRIPLE_DOUBLE,
        Quote { escape: Escape::None, ..Quote::TRIPLE_SINGLE },
        Quote::DOUBLE,
        Quote { escape: Escape::None, ..Quote::SINGLE },
    ],
    quirks: &[Quirk::KeysBeforeEquals, Quirk::Sections],
    ..HASHES
};

/// INI files, Java properties and what else has a key, a sign and text on each line.
pub(crate) static INI: Dialect = Dialect {
    line_comments: &["#", ";"],
    strings: &[Quote::DOUBLE],
    quirks: &[Quirk::KeysBeforeEquals, Quirk::Sections, Quirk::TextValues],
    ..Dialect::NONE
};

/// Files of environment variables.
pub(crate) static ENVIRONMENT: Dialect = Dialect {
    keywords: "export",
    strings: &[
        Quote { holes: Holes::Dollar, ..Quote::DOUBLE_LINES },
        Quote { escape: Escape::None, ..Quote::SINGLE_LINES },
    ],
    quirks: &[Quirk::DollarVariables, Quirk::KeysBeforeEquals, Quirk::TextValues],
    ..HASHES
};

/// The language of Terraform.
pub(crate) static HCL: Dialect = Dialect {
    keywords: "data dynamic else endif endfor for if in locals module moved output provider resource \
               terraform variable backend required_providers lifecycle provisioner import check",
    types: "any bool list map number object set string tuple",
    constants: "true false null var local each count self path",
    line_comments: &["#", "//"],
    block_comments: &[("/*", "*/")],
    strings: &[Quote { holes: Holes::DollarBrace, ..Quote::DOUBLE }],
    quirks: &[Quirk::Calls, Quirk::Heredocs, Quirk::KeysBeforeEquals],
    ..Dialect::NONE
};

pub(crate) static CMAKE: Dialect = Dialect {
    keywords: "break continue else elseif endforeach endfunction endif endmacro endwhile foreach function if \
               macro return while and or not matches strequal version_less version_greater defined exists \
               target command public private interface required components",
    constants: "on off true false",
    block_comments: &[("#[[", "]]")],
    strings: &[Quote { holes: Holes::Dollar, ..Quote::DOUBLE_LINES }],
    quirks: &[Quirk::Calls, Quirk::DollarVariables, Quirk::IgnoreCase],
    ..HASHES
};

/// Settings of nginx and of Caddy.
pub(crate) static NGINX: Dialect = Dialect {
    keywords: "events http server location upstream if map include geo types stream return rewrite set",
    constants: "on off",
    word_more: "-",
    strings: &[Quote { holes: Holes::Dollar, ..Quote::DOUBLE }, Quote::SINGLE],
    quirks: &[Quirk::DefinesAtStart, Quirk::DollarVariables],
    ..HASHES
};

pub(crate) static TEX: Dialect = Dialect {
    line_comments: &["%"],
    word_more: "*",
    strings: &[Quote { open: "$", close: "$", escape: Escape::None, ..Quote::DOUBLE }],
    quirks: &[Quirk::BackslashWords],
    ..Dialect::NONE
};

/// Grammars: EBNF, ABNF and their relatives.
pub(crate) static GRAMMAR: Dialect = Dialect {
    word_more: "-",
    block_comments: &[("(*", "*)"), ("/*", "*/")],
    line_comments: &["//", ";"],
    strings: &[Quote::DOUBLE, Quote::SINGLE],
    quirks: &[Quirk::CapitalTypes, Quirk::DefinesAtStart],
    ..Dialect::NONE
};

/// Graphs of Graphviz.
pub(crate) static DOT: Dialect = Dialect {
    keywords: "digraph edge graph node strict subgraph",
    line_comments: &["//", "#"],
    strings: &[Quote::DOUBLE_LINES],
    quirks: &[Quirk::IgnoreCase],
    ..SLASHES
};

/// Diagrams of Mermaid.
pub(crate) static MERMAID: Dialect = Dialect {
    keywords: "flowchart graph sequenceDiagram classDiagram stateDiagram stateDiagram-v2 erDiagram gantt pie \
               gitGraph journey mindmap timeline subgraph end participant actor note over loop alt else opt \
               par and rect activate deactivate class style click title section direction LR TD TB RL BT",
    word_more: "-",
    line_comments: &["%%"],
    strings: &[Quote::DOUBLE],
    ..Dialect::NONE
};
