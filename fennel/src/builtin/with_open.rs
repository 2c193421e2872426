//! `with-open`: values that are closed when the body is over, however it ends.

use crate::builtin::{Expanding, make, mentions};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};
use crate::source::Span;

/// `(with-open [file (io.open name)] body …)`
///
/// The body is a function that runs protected; `close` gets what came of it, closes the values, the
/// last one first, and gives the results or raises the error again.
pub(super) fn with_open(cx: &mut dyn Expanding, call: &Form, arguments: &[Form]) -> Compiled<Form> {
    let (bindings, body) = split(call, arguments)?;
    let span = call.span;
    let rest = || Form::new(Kind::Varg, span);
    let close = Form::symbol(cx.gensym("close"), span);
    let succeeded = Form::symbol(cx.gensym("succeeded"), span);

    let mut closing = vec![close.clone(), Form::sequence(vec![succeeded.clone(), rest()], span)];
    closing.extend(bindings.chunks(2).rev().map(|pair| {
        let name = &pair[0];
        Form::call(":", [name.clone(), Form::string("close", name.span)], name.span)
    }));
    let raise = make::global_call("error", [rest(), make::integer(0, span)], span);
    closing.push(Form::call("if", [succeeded, rest(), raise], span));

    let parameters = Form::sequence(vec![rest()], span);
    let protected = Form::call("fn", std::iter::once(parameters).chain(body.to_vec()), span);
    let run = make::global_call(
        "xpcall",
        [protected, traceback(cx, span)].into_iter().chain(mentions::rest_values(body)),
        span,
    );
    let run = Form::list(vec![close, run], span);
    Ok(make::bind(bindings.to_vec(), vec![Form::call("fn", closing, span), run], span))
}

/// `(or (and _G~0.debug _G~0.debug.traceback) (fn [e] e))`: the error with its trace, if there is one.
fn traceback(cx: &mut dyn Expanding, span: Span) -> Form {
    let error = Form::symbol(cx.gensym("error"), span);
    let debug = make::global("debug", span);
    let traceback = make::global("debug.traceback", span);
    let same = Form::call("fn", [Form::sequence(vec![error.clone()], span), error], span);
    Form::call("or", [Form::call("and", [debug, traceback], span), same], span)
}

fn split<'a>(call: &Form, arguments: &'a [Form]) -> Compiled<(&'a [Form], &'a [Form])> {
    let usage = "write (with-open [name value] body …)";
    let Some((bindings, body)) = arguments.split_first() else {
        return Err(Fault::new(call.span, "with-open has no bindings").help(usage));
    };
    let Some(pairs) = bindings.as_sequence() else {
        return Err(Fault::new(
            bindings.span,
            format!("with-open's bindings are in [ ], and this is {}", bindings.described()),
        )
        .help(usage));
    };
    for pair in pairs.chunks(2) {
        if !make::is_plain_symbol(&pair[0]) {
            return Err(Fault::new(
                pair[0].span,
                format!("with-open can only bind a name, and this is {}", pair[0].described()),
            )
            .help("take the value apart in the body"));
        }
        if pair.len() < 2 {
            return Err(Fault::new(
                pair[0].span,
                format!("with-open has no value for {}", pair[0].as_symbol().unwrap_or_default()),
            )
            .help(usage));
        }
    }
    Ok((pairs, body))
}

#[cfg(test)]
mod tests {
    use crate::builtin::testing::{expanded, refusal};

    #[test]
    fn the_last_value_is_closed_first_and_the_results_pass_through() {
        assert_eq!(
            expanded("(with-open [a (f) b (g a)] (h a b))"),
            "(let [a (f) b (g a)] \
             (fn close1 [succeeded2 ...] (: b :close) (: a :close) \
             (if succeeded2 ... (_G~0.error ... 0))) \
             (close1 (_G~0.xpcall (fn [...] (h a b)) \
             (or (and _G~0.debug _G~0.debug.traceback) (fn [error3] error3)))))"
        );
    }

    #[test]
    fn the_body_is_given_the_further_values_that_it_reads() {
        let given = |body: &str| {
            let text = expanded(&format!("(with-open [a (f)] {body})"));
            text.ends_with("(fn [error3] error3)) ...)))")
        };
        assert!(given("(g [...])"));
        assert!(given("{:a ...}"));
        assert!(!given("(fn [...] ...)"));
        let hashed = expanded("(with-open [a (f)] (g $...))");
        assert!(hashed.ends_with("(fn [error3] error3)) $...)))"));
    }

    #[test]
    fn only_names_are_bound() {
        assert_eq!(
            refusal("(with-open [[a] b] 1)"),
            "[a] | with-open can only bind a name, and this is a sequence"
        );
        assert_eq!(refusal("(with-open [a] 1)"), "a | with-open has no value for a");
        assert_eq!(
            refusal("(with-open (f) 1)"),
            "(f) | with-open's bindings are in [ ], and this is a list"
        );
        assert_eq!(refusal("(with-open)"), "(with-open) | with-open has no bindings");
    }
}
