//! The special forms: what the compiler itself knows how to compile.

use super::{Compiler, Got, Want};
use crate::diagnostic::Compiled;
use crate::form::Form;
use crate::lua::{Operator, UnaryOperator};

/// Compiles a call of a special form: the whole form and what follows its name.
pub(crate) type Special = fn(&mut Compiler, &Form, &[Form], Want) -> Compiled<Got>;

/// The names of all special forms.
pub(crate) const NAMES: [&str; 54] = [
    "do", "let", "local", "var", "global", "set", "tset", "fn", "hashfn", "if", "while", "for",
    "each", "values", "and", "or", "not", "+", "-", "*", "/", "//", "%", "^", "..", "=", "not=",
    "~=", "<", ">", "<=", ">=", "length", "#", "band", "bor", "bxor", "bnot", "lshift", "rshift",
    ".", ":", "lua", "quote", "unquote", "tail!", "comment", "include", "macro", "macros",
    "import-macros", "require-macros", "eval-compiler", "macrodebug",
];

/// The special form of this name.
pub(crate) fn find(name: &str) -> Option<Special> {
    Some(match name {
        "do" => Compiler::do_form,
        "let" => Compiler::let_form,
        "local" => Compiler::local_form,
        "var" => Compiler::var_form,
        "global" => Compiler::global_form,
        "set" => Compiler::set_form,
        "tset" => Compiler::tset_form,
        "fn" => Compiler::fn_form,
        "hashfn" => Compiler::hashfn_form,
        "if" => Compiler::if_form,
        "while" => Compiler::while_form,
        "for" => Compiler::for_form,
        "each" => Compiler::each_form,
        "values" => Compiler::values_form,
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
        "lua" => Compiler::lua_form,
        "quote" => Compiler::quote_form,
        "unquote" => Compiler::unquote_form,
        "tail!" => Compiler::tail_form,
        "comment" => Compiler::comment_form,
        "include" => Compiler::include_form,
        "macro" => Compiler::macro_form,
        "macros" => Compiler::macros_form,
        "import-macros" => Compiler::import_macros_form,
        "require-macros" => Compiler::require_macros_form,
        "eval-compiler" => Compiler::eval_compiler_form,
        "macrodebug" => Compiler::macrodebug_form,
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
