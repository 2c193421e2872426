//! `?.`: fields of fields, nil as soon as one is missing.

use crate::builtin::{Expanding, make};
use crate::diagnostic::{Compiled, Fault};
use crate::form::Form;

/// `(?. t :a :b)` is `t.a.b`, and nil where `t` or `t.a` is nil.
pub(super) fn maybe_lookup(
    cx: &mut dyn Expanding,
    call: &Form,
    arguments: &[Form],
) -> Compiled<Form> {
    let Some((table, keys)) = arguments.split_first() else {
        return Err(
            Fault::new(call.span, "?. has no table to look into").help("write (?. table key …)")
        );
    };
    if keys.is_empty() {
        return Ok(table.clone());
    }
    let found = Form::symbol(cx.gensym("found"), table.span);
    let mut body = vec![Form::call("var", [found.clone(), table.clone()], table.span)];
    for key in keys {
        let field = Form::call(".", [found.clone(), key.clone()], key.span);
        let test = make::is_not_nil(found.clone(), key.span);
        let step = Form::call("set", [found.clone(), field], key.span);
        body.push(Form::call("if", [test, step], key.span));
    }
    body.push(found);
    Ok(Form::call("do", body, call.span))
}

#[cfg(test)]
mod tests {
    use crate::builtin::testing::{expanded, refusal};

    #[test]
    fn each_key_is_looked_up_only_in_what_is_there() {
        assert_eq!(expanded("(?. t.x)"), "t.x");
        assert_eq!(
            expanded("(?. (f) :a (g))"),
            "(do (var found1 (f)) \
             (if (not= nil found1) (set found1 (. found1 :a))) \
             (if (not= nil found1) (set found1 (. found1 (g)))) found1)"
        );
    }

    #[test]
    fn a_look_up_without_a_table_is_refused() {
        assert_eq!(refusal("(?.)"), "(?.) | ?. has no table to look into");
    }
}
