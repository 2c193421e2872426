//! The special forms: what the compiler itself knows how to compile.

use super::{Compiler, Got, Want};
use crate::diagnostic::Compiled;
use crate::form::Form;
use crate::lua::{Operator, UnaryOperator};
use crate::words::{Gives, Trait, Word, Words};

/// Compiles a call of a special form: the whole form and what follows its name.
pub(crate) type Special = fn(&mut Compiler, &Form, &[Form], Want) -> Compiled<Got>;

/// All special forms.
pub(crate) static WORDS: Words<Special> = Words::new(&[
    word("do", Gives::Last, |c, form, args, want| c.do_form(form, args, want))
        .with(&[Trait::HasBody]),
    word("let", Gives::Last, |c, form, args, want| c.let_form(form, args, want))
        .with(&[Trait::Binds, Trait::HasBody]),
    word("local", Gives::One, |c, form, args, want| c.local_form(form, args, want))
        .with(&[Trait::Defines]),
    word("var", Gives::One, |c, form, args, want| c.var_form(form, args, want))
        .with(&[Trait::Defines]),
    word("global", Gives::One, |c, form, args, want| c.global_form(form, args, want))
        .with(&[Trait::Defines]),
    word("set", Gives::One, |c, form, args, want| c.set_form(form, args, want)),
    word("tset", Gives::One, |c, form, args, want| c.tset_form(form, args, want)),
    word("fn", Gives::One, |c, form, args, want| c.fn_form(form, args, want)).with(&[
        Trait::Binds,
        Trait::Defines,
        Trait::HasBody,
    ]),
    word("hashfn", Gives::One, |c, form, args, want| c.hashfn_form(form, args, want))
        .with(&[Trait::Binds]),
    word("if", Gives::Branch, |c, form, args, want| c.if_form(form, args, want)),
    word("while", Gives::One, |c, form, args, want| c.while_form(form, args, want))
        .with(&[Trait::HasBody]),
    word("for", Gives::One, |c, form, args, want| c.for_form(form, args, want))
        .with(&[Trait::Binds, Trait::HasBody]),
    word("each", Gives::One, |c, form, args, want| c.each_form(form, args, want))
        .with(&[Trait::Binds, Trait::HasBody]),
    word("values", Gives::All, |c, form, args, want| c.values_form(form, args, want)),
    word("and", Gives::One, |c, form, args, _| c.logic(form, args, Operator::And)),
    word("or", Gives::One, |c, form, args, _| c.logic(form, args, Operator::Or)),
    word("not", Gives::One, |c, form, args, _| c.unary(form, args, UnaryOperator::Not)),
    word("length", Gives::One, |c, form, args, _| c.unary(form, args, UnaryOperator::Length)),
    word("#", Gives::One, |c, form, args, _| c.unary(form, args, UnaryOperator::Length)),
    word("bnot", Gives::One, |c, form, args, _| c.unary(form, args, UnaryOperator::BitNot)),
    word("+", Gives::One, |c, form, args, _| c.arithmetic(form, args, Operator::Add)),
    word("-", Gives::One, |c, form, args, _| c.arithmetic(form, args, Operator::Subtract)),
    word("*", Gives::One, |c, form, args, _| c.arithmetic(form, args, Operator::Multiply)),
    word("/", Gives::One, |c, form, args, _| c.arithmetic(form, args, Operator::Divide)),
    word("//", Gives::One, |c, form, args, _| c.arithmetic(form, args, Operator::FloorDivide)),
    word("%", Gives::One, |c, form, args, _| c.arithmetic(form, args, Operator::Modulo)),
    word("^", Gives::One, |c, form, args, _| c.arithmetic(form, args, Operator::Power)),
    word("..", Gives::One, |c, form, args, _| c.arithmetic(form, args, Operator::Concat)),
    word("band", Gives::One, |c, form, args, _| c.arithmetic(form, args, Operator::BitAnd)),
    word("bor", Gives::One, |c, form, args, _| c.arithmetic(form, args, Operator::BitOr)),
    word("bxor", Gives::One, |c, form, args, _| c.arithmetic(form, args, Operator::BitXor)),
    word("lshift", Gives::One, |c, form, args, _| c.arithmetic(form, args, Operator::ShiftLeft)),
    word("rshift", Gives::One, |c, form, args, _| c.arithmetic(form, args, Operator::ShiftRight)),
    word("=", Gives::One, |c, form, args, _| c.comparison(form, args, Operator::Equal)),
    word("not=", Gives::One, |c, form, args, _| c.comparison(form, args, Operator::NotEqual)),
    word("~=", Gives::One, |c, form, args, _| c.comparison(form, args, Operator::NotEqual)),
    word("<", Gives::One, |c, form, args, _| c.comparison(form, args, Operator::Less)),
    word("<=", Gives::One, |c, form, args, _| c.comparison(form, args, Operator::LessEqual)),
    word(">", Gives::One, |c, form, args, _| c.comparison(form, args, Operator::Greater)),
    word(">=", Gives::One, |c, form, args, _| c.comparison(form, args, Operator::GreaterEqual)),
    word(".", Gives::One, |c, form, args, _| c.lookup(form, args)),
    word(":", Gives::Any, |c, form, args, _| c.method(form, args)),
    word("lua", Gives::Any, |c, form, args, want| c.lua_form(form, args, want)),
    word("quote", Gives::One, |c, form, args, want| c.quote_form(form, args, want)),
    word("unquote", Gives::One, |c, form, args, want| c.unquote_form(form, args, want)),
    word("tail!", Gives::Any, |c, form, args, want| c.tail_form(form, args, want)),
    word("comment", Gives::One, |c, form, args, want| c.comment_form(form, args, want)),
    word("include", Gives::Any, |c, form, args, want| c.include_form(form, args, want)),
    word("macro", Gives::One, |c, form, args, want| c.macro_form(form, args, want)).with(&[
        Trait::Binds,
        Trait::Defines,
        Trait::HasBody,
    ]),
    word("macros", Gives::One, |c, form, args, want| c.macros_form(form, args, want))
        .with(&[Trait::Defines]),
    word("import-macros", Gives::One, |c, form, args, want| c.import_macros_form(form, args, want)),
    word("require-macros", Gives::One, |c, form, args, want| {
        c.require_macros_form(form, args, want)
    }),
    word("eval-compiler", Gives::Any, |c, form, args, want| c.eval_compiler_form(form, args, want))
        .with(&[Trait::HasBody]),
    word("macrodebug", Gives::Any, |c, form, args, want| c.macrodebug_form(form, args, want)),
]);

/// The special form of this name.
pub(crate) fn find(name: &str) -> Option<Special> {
    WORDS.find(name).map(|word| word.work)
}

const fn word(name: &'static str, gives: Gives, work: Special) -> Word<Special> {
    Word { name, work, gives, traits: &[] }
}
