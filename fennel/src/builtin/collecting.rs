//! `collect`, `icollect` and `fcollect`: loops that fill a table.

use crate::builtin::iteration::{self, Iteration, Loop};
use crate::builtin::{Expanding, make};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};

/// `(collect [k v (pairs t)] key value)`: a table of the keys and values that the body gives.
pub(super) fn collect(cx: &mut dyn Expanding, call: &Form, arguments: &[Form]) -> Compiled<Form> {
    let usage = "write (collect [k v (pairs table)] key value)";
    let (bindings, parts, body) = iteration::split("collect", usage, call, arguments)?;
    let iteration = Iteration::read("collect", Loop::Each, parts, bindings.span)?;
    let pair = match body {
        [pair] if matches!(pair.kind, Kind::List(_)) => pair.clone(),
        [key, value] => Form::call("values", [key.clone(), value.clone()], key.span.to(value.span)),
        [_, _, third, ..] => {
            return Err(Fault::new(third.span, "collect takes a key and a value, and no more")
                .help("put several forms into (do … (values key value))"));
        }
        _ => {
            return Err(Fault::new(call.span, "collect has a key and no value").help(usage));
        }
    };

    let span = pair.span;
    let table = Form::symbol(cx.gensym("table"), call.span);
    let key = Form::symbol(cx.gensym("key"), span);
    let value = Form::symbol(cx.gensym("value"), span);
    let test = Form::call(
        "and",
        [make::is_not_nil(key.clone(), span), make::is_not_nil(value.clone(), span)],
        span,
    );
    let enter = Form::call("tset", [table.clone(), key.clone(), value.clone()], span);
    let names = Form::list(vec![key, value], span);
    let step = make::bind(vec![names, pair], vec![Form::call("if", [test, enter], span)], span);

    let first = destination("collect", &iteration)?
        .unwrap_or_else(|| Form::new(Kind::Table([].into()), call.span));
    let filling = Loop::Each.over(iteration, vec![step], call.span);
    Ok(make::bind(vec![table.clone(), first], vec![filling, table], call.span))
}

/// `(icollect [_ v (ipairs t)] value)`: a sequence of what the body gives and is not nil.
pub(super) fn icollect(cx: &mut dyn Expanding, call: &Form, arguments: &[Form]) -> Compiled<Form> {
    sequence("icollect", Loop::Each, cx, call, arguments)
}

/// `(fcollect [i 1 9] value)`: a sequence of what the body gives and is not nil.
pub(super) fn fcollect(cx: &mut dyn Expanding, call: &Form, arguments: &[Form]) -> Compiled<Form> {
    sequence("fcollect", Loop::For, cx, call, arguments)
}

fn sequence(
    name: &str,
    kind: Loop,
    cx: &mut dyn Expanding,
    call: &Form,
    arguments: &[Form],
) -> Compiled<Form> {
    let usage = format!("write ({name} [{}] value)", kind.shape());
    let (bindings, parts, body) = iteration::split(name, &usage, call, arguments)?;
    let body = iteration::only(name, body)?;
    let iteration = Iteration::read(name, kind, parts, bindings.span)?;
    let span = body.span;
    let table = Form::symbol(cx.gensym("table"), call.span);

    // A table that was there before may grow in the body too, so its end is looked up each time; in
    // a new one it is counted.
    let (start, count, next) = match destination(name, &iteration)? {
        Some(into) => {
            let length = Form::call("length", [table.clone()], span);
            (into, None, Form::call("+", [length, make::integer(1, span)], span))
        }
        None => {
            let count = Form::symbol(cx.gensym("count"), call.span);
            (Form::sequence(Vec::new(), call.span), Some(count.clone()), count)
        }
    };
    let mut append = Vec::new();
    if let Some(count) = &count {
        let more = Form::call("+", [count.clone(), make::integer(1, span)], span);
        append.push(Form::call("set", [count.clone(), more], span));
    }
    let step = if never_nil(body) {
        append.push(Form::call("tset", [table.clone(), next, body.clone()], span));
        append
    } else {
        let value = Form::symbol(cx.gensym("value"), span);
        append.push(Form::call("tset", [table.clone(), next, value.clone()], span));
        let test = make::is_not_nil(value.clone(), span);
        let append = make::bind(Vec::new(), append, span);
        let guarded = Form::call("if", [test, append], span);
        vec![make::bind(vec![value, body.clone()], vec![guarded], span)]
    };

    let mut whole = Vec::new();
    if let Some(count) = count {
        whole.push(Form::call("var", [count, make::integer(0, call.span)], call.span));
    }
    whole.push(kind.over(iteration, step, call.span));
    whole.push(table.clone());
    Ok(make::bind(vec![table, start], whole, call.span))
}

/// The table behind `&into`.
fn destination(name: &str, iteration: &Iteration) -> Compiled<Option<Form>> {
    let Some((into, _)) = &iteration.into else {
        return Ok(None);
    };
    match into.kind {
        Kind::Symbol(_) | Kind::List(_) | Kind::Sequence(_) | Kind::Table(_) => {
            Ok(Some(into.clone()))
        }
        _ => Err(Fault::new(
            into.span,
            format!("{name} can only collect into a table, and this is {}", into.described()),
        )
        .help("write a table, a name or a call behind &into")),
    }
}

/// Whether its value is surely not nil, and one value. A metamethod can make nil of an operator.
fn never_nil(form: &Form) -> bool {
    match &form.kind {
        Kind::Bool(_)
        | Kind::Integer(_)
        | Kind::Float(_)
        | Kind::Str(_)
        | Kind::Sequence(_)
        | Kind::Table(_) => true,
        Kind::List(parts) => {
            matches!(parts.first().and_then(Form::as_symbol), Some("not" | "=" | "not=" | "hashfn"))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::builtin::testing::{expanded, refusal};

    #[test]
    fn collect_enters_keys_and_values_that_are_not_nil() {
        let step = |pair: &str| {
            format!(
                "(let [(key2 value3) {pair}] \
                 (if (and (not= nil key2) (not= nil value3)) (tset table1 key2 value3)))"
            )
        };
        assert_eq!(
            expanded("(collect [k v (pairs t)] k v)"),
            format!("(let [table1 {{}}] (each [k v (pairs t)] {}) table1)", step("(values k v)"))
        );
        assert_eq!(
            expanded("(collect [k v (pairs t) &into x &until z] (f))"),
            format!("(let [table1 x] (each [k v (pairs t) &until z] {}) table1)", step("(f)"))
        );
    }

    #[test]
    fn a_new_sequence_is_counted() {
        assert_eq!(
            expanded("(icollect [_ v (ipairs t)] (f v))"),
            "(let [table1 []] (var count2 0) (each [_ v (ipairs t)] \
             (let [value3 (f v)] (if (not= nil value3) \
             (do (set count2 (+ count2 1)) (tset table1 count2 value3))))) table1)"
        );
    }

    #[test]
    fn what_is_never_nil_is_not_tested() {
        assert_eq!(
            expanded("(fcollect [i 1 9 &until (f i)] [i])"),
            "(let [table1 []] (var count2 0) (for [i 1 9 &until (f i)] \
             (set count2 (+ count2 1)) (tset table1 count2 [i])) table1)"
        );
    }

    #[test]
    fn a_given_table_grows_at_its_end() {
        assert_eq!(
            expanded("(icollect [_ v (ipairs t) :into x :until z] (f v))"),
            "(let [table1 x] (each [_ v (ipairs t) &until z] \
             (let [value2 (f v)] (if (not= nil value2) \
             (tset table1 (+ (length table1) 1) value2)))) table1)"
        );
    }

    #[test]
    fn misuse_is_refused_where_it_is() {
        for (call, refused) in [
            ("(collect)", "(collect) | collect has no bindings"),
            ("(collect (k v) 1 2)", "(k v) | collect's bindings are in [ ], and this is a list"),
            ("(collect [k v] 1)", "(collect [k v] 1) | collect has a key and no value"),
            ("(collect [k (f)] 1 2 3)", "3 | collect takes a key and a value, and no more"),
            ("(collect [] 1 2)", "[] | collect has too few bindings"),
            ("(icollect [v (f)])", "(icollect [v (f)]) | icollect has no body"),
            (
                "(icollect [v (f)] 1 2)",
                "2 | icollect takes one form as its body, and this is a second one",
            ),
            ("(icollect [v (f) &into] 1)", "&into | &into has nothing behind it"),
            ("(icollect [v (f) &until a :until b] 1)", ":until | icollect has &until twice"),
            (
                "(icollect [v (f) &into 3] 1)",
                "3 | icollect can only collect into a table, and this is the number 3",
            ),
            ("(fcollect [i 1] 1)", "[i 1] | fcollect has too few bindings"),
        ] {
            assert_eq!(refusal(call), refused);
        }
    }
}
