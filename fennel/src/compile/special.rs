//! The special forms: what the compiler itself knows how to compile.

use super::{Compiler, Got, Want};
use crate::diagnostic::Compiled;
use crate::form::Form;
use crate::lua::{Operator, UnaryOperator};

/// Compiles a call of a special form: the whole form and what follows its name.
pub(crate) type Special = fn(&mut Compiler, &Form, &[Form], Want) -> Compiled<Got>;

/// The names of all special forms.
pub(crate) const NAMES: [&str; 54] = [
    "do",
    "let",
    "local",
    "var",
    "global",
    "set",
    "tset",
    "fn",
    "hashfn",
    "if",
    "while",
    "for",
    "each",
    "values",
    "and",
    "or",
    "not",
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "^",
    "..",
    "=",
    "not=",
    "~=",
    "<",
    ">",
    "<=",
    ">=",
    "length",
    "#",
    "band",
    "bor",
    "bxor",
    "bnot",
    "lshift",
    "rshift",
    ".",
    ":",
    "lua",
    "quote",
    "unquote",
    "tail!",
    "comment",
    "include",
    "macro",
    "macros",
    "import-macros",
    "require-macros",
    "eval-compiler",
    "macrodebug",
];

/// The special form of this name.
pub(crate) fn find(name: &str) -> Option<Special> {
    Some(match name {
        "do" => |c, form, args, want| c.do_form(form, args, want),
        "let" => |c, form, args, want| c.let_form(form, args, want),
        "local" => |c, form, args, want| c.local_form(form, args, want),
        "var" => |c, form, args, want| c.var_form(form, args, want),
        "global" => |c, form, args, want| c.global_form(form, args, want),
        "set" => |c, form, args, want| c.set_form(form, args, want),
        "tset" => |c, form, args, want| c.tset_form(form, args, want),
        "fn" => |c, form, args, want| c.fn_form(form, args, want),
        "hashfn" => |c, form, args, want| c.hashfn_form(form, args, want),
        "if" => |c, form, args, want| c.if_form(form, args, want),
        "while" => |c, form, args, want| c.while_form(form, args, want),
        "for" => |c, form, args, want| c.for_form(form, args, want),
        "each" => |c, form, args, want| c.each_form(form, args, want),
        "values" => |c, form, args, want| c.values_form(form, args, want),
        "and" => |c, form, args, _| c.logic(form, args, Operator::And),
        "or" => |c, form, args, _| c.logic(form, args, Operator::Or),
        "not" => |c, form, args, _| c.unary(form, args, UnaryOperator::Not),
        "length" | "#" => |c, form, args, _| c.unary(form, args, UnaryOperator::Length),
        "bnot" => |c, form, args, _| c.unary(form, args, UnaryOperator::BitNot),
        "+" => |c, form, args, _| c.arithmetic(form, args, Operator::Add),
        "-" => |c, form, args, _| c.arithmetic(form, args, Operator::Subtract),
        "*" => |c, form, args, _| c.arithmetic(form, args, Operator::Multiply),
        "/" => |c, form, args, _| c.arithmetic(form, args, Operator::Divide),
        "//" => |c, form, args, _| c.arithmetic(form, args, Operator::FloorDivide),
        "%" => |c, form, args, _| c.arithmetic(form, args, Operator::Modulo),
        "^" => |c, form, args, _| c.arithmetic(form, args, Operator::Power),
        ".." => |c, form, args, _| c.arithmetic(form, args, Operator::Concat),
        "band" => |c, form, args, _| c.arithmetic(form, args, Operator::BitAnd),
        "bor" => |c, form, args, _| c.arithmetic(form, args, Operator::BitOr),
        "bxor" => |c, form, args, _| c.arithmetic(form, args, Operator::BitXor),
        "lshift" => |c, form, args, _| c.arithmetic(form, args, Operator::ShiftLeft),
        "rshift" => |c, form, args, _| c.arithmetic(form, args, Operator::ShiftRight),
        "=" => |c, form, args, _| c.comparison(form, args, Operator::Equal),
        "not=" | "~=" => |c, form, args, _| c.comparison(form, args, Operator::NotEqual),
        "<" => |c, form, args, _| c.comparison(form, args, Operator::Less),
        "<=" => |c, form, args, _| c.comparison(form, args, Operator::LessEqual),
        ">" => |c, form, args, _| c.comparison(form, args, Operator::Greater),
        ">=" => |c, form, args, _| c.comparison(form, args, Operator::GreaterEqual),
        "." => |c, form, args, _| c.lookup(form, args),
        ":" => |c, form, args, _| c.method(form, args),
        "lua" => |c, form, args, want| c.lua_form(form, args, want),
        "quote" => |c, form, args, want| c.quote_form(form, args, want),
        "unquote" => |c, form, args, want| c.unquote_form(form, args, want),
        "tail!" => |c, form, args, want| c.tail_form(form, args, want),
        "comment" => |c, form, args, want| c.comment_form(form, args, want),
        "include" => |c, form, args, want| c.include_form(form, args, want),
        "macro" => |c, form, args, want| c.macro_form(form, args, want),
        "macros" => |c, form, args, want| c.macros_form(form, args, want),
        "import-macros" => |c, form, args, want| c.import_macros_form(form, args, want),
        "require-macros" => |c, form, args, want| c.require_macros_form(form, args, want),
        "eval-compiler" => |c, form, args, want| c.eval_compiler_form(form, args, want),
        "macrodebug" => |c, form, args, want| c.macrodebug_form(form, args, want),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_form() {
        assert!(NAMES.iter().all(|name| find(name).is_some()));
    }
}
