//! Programs of one shape in any size.

/// `outer` around `inner` around `inner` … around `core`; `@` is the place of what is inside.
pub fn nested(outer: &str, core: &str, count: usize) -> String {
    let (before, after) = outer.split_once('@').unwrap_or((outer, ""));
    format!("{}{core}{}", before.repeat(count), after.repeat(count))
}

/// What a function gives for 1, 2, 3, …, with spaces between.
pub fn row(count: usize, part: impl Fn(usize) -> String) -> String {
    (1..=count).map(part).collect::<Vec<_>>().join(" ")
}

/// A name and how to write a program of this shape in a size.
pub type Shape = (&'static str, fn(usize) -> String);

/// Forms inside one another.
pub const DEEP: &[Shape] = &[
    ("let", |n| nested("(let [x 1] @)", "x", n)),
    ("let as an argument", |n| nested("(print (let [x 1] @))", "1", n)),
    ("let in bindings", |n| nested("(let [x @] x)", "1", n)),
    ("do", |n| nested("(do (print) @)", "1", n)),
    ("if", |n| nested("(if (f) @ 2)", "1", n)),
    ("if as an argument", |n| nested("(f (if (f) @ 2))", "1", n)),
    ("if in a condition", |n| nested("(if @ 1 2)", "(f)", n)),
    ("if in a second condition", |n| nested("(if (f) 1 @ 2 3)", "(f)", n)),
    ("if behind an if", |n| nested("(if (f) 1 @)", "(f)", n)),
    ("when", |n| nested("(when (f) @)", "(print)", n)),
    ("when in a body", |n| nested("(when (f) (print) @ (print))", "(print)", n)),
    ("table", |n| nested("{:a @}", "1", n)),
    ("table as key", |n| nested("{@ 1}", "1", n)),
    ("sequence", |n| nested("[@]", "1", n)),
    ("sequence of calls", |n| nested("[1 2 (f @)]", "1", n)),
    ("call", |n| nested("(f @)", "1", n)),
    ("call in front", |n| nested("(f @ 1 2)", "1", n)),
    ("callee", |n| nested("(@)", "f", n)),
    ("method", |n| nested("(: @ :m)", "f", n)),
    ("method argument", |n| nested("(f:m 1 @)", "f", n)),
    ("function", |n| nested("(fn [] @)", "1", n)),
    ("named function", |n| nested("(fn f [x] @)", "1", n)),
    ("function that is called", |n| nested("((fn [x] @) 1)", "x", n)),
    ("hash function", |n| nested("#[@]", "1", n)),
    ("thread", |n| nested("(-> @ (f 1))", "1", n)),
    ("thread last", |n| nested("(->> @ (f 1))", "1", n)),
    ("maybe thread", |n| nested("(-?> @ (f 1))", "1", n)),
    ("maybe lookup", |n| nested("(?. @ :a)", "f", n)),
    ("lookup", |n| nested("(. @ :a)", "f", n)),
    ("lookup of key", |n| nested("(. f @)", "f", n)),
    ("add", |n| nested("(+ 1 @)", "x", n)),
    ("add in front", |n| nested("(+ @ 1)", "x", n)),
    ("concatenate", |n| nested("(.. :a @)", "x", n)),
    ("concatenate in front", |n| nested("(.. @ :a)", "x", n)),
    ("power", |n| nested("(^ @ 2)", "x", n)),
    ("and", |n| nested("(and (f) @)", "x", n)),
    ("or", |n| nested("(or @ (f))", "x", n)),
    ("and with statements", |n| nested("(and (f) (do (print) @))", "x", n)),
    ("and, or", |n| nested("(and (f) (or (f) @))", "x", n)),
    ("not", |n| nested("(not @)", "x", n)),
    ("negate", |n| nested("(- @)", "x", n)),
    ("length", |n| nested("(length @)", "x", n)),
    ("compare", |n| nested("(< 1 @ 3)", "x", n)),
    ("equal", |n| nested("(= 1 @)", "x", n)),
    ("values", |n| nested("(values 1 @)", "x", n)),
    ("while", |n| nested("(while (f) @)", "(f)", n)),
    ("while in a condition", |n| nested("(while (do @ (f)) (f))", "(f)", n)),
    ("for", |n| nested("(for [i 1 2] @)", "(f)", n)),
    ("each", |n| nested("(each [k v (pairs t)] @)", "(f)", n)),
    ("each with patterns", |n| nested("(each [k [a b c] (pairs t)] @)", "(f)", n)),
    ("each as iterator", |n| nested("(each [k v (do @)] (f))", "(f)", n)),
    ("icollect", |n| nested("(icollect [_ v (ipairs x)] @)", "(f)", n)),
    ("collect", |n| nested("(collect [k v (pairs x)] k @)", "(f)", n)),
    ("accumulate", |n| nested("(accumulate [a 1 k v (pairs x)] @)", "(f)", n)),
    ("case", |n| nested("(case (f) [a b] @ _ 2)", "(f)", n)),
    ("case of a case", |n| nested("(case @ [a b] 1 _ 2)", "(f)", n)),
    ("case guard", |n| nested("(case (f) (where a @) 1 _ 2)", "(f)", n)),
    ("match", |n| nested("(match (f) {:a [b]} @ _ 2)", "(f)", n)),
    ("case-try", |n| nested("(case-try (f) [a b] @ (catch _ 2))", "(f)", n)),
    ("local", |n| nested("(do (local x @) x)", "1", n)),
    ("var and set", |n| nested("(do (var x 1) (set x @) x)", "1", n)),
    ("tset", |n| nested("(tset t :a (do @ 1))", "(f)", n)),
    ("set of a field", |n| nested("(set t.a (do @ 1))", "(f)", n)),
    ("doto", |n| nested("(doto @ (f))", "x", n)),
    ("lambda", |n| nested("(lambda [x] @)", "1", n)),
    ("partial", |n| nested("(partial f @)", "1", n)),
    ("with-open", |n| nested("(with-open [h (f)] @)", "1", n)),
    ("pick-values", |n| nested("(pick-values 1 @)", "(f)", n)),
    ("destructuring", |n| format!("(local {} (f))", nested("[x @]", "y", n))),
    ("destructuring of tables", |n| format!("(local {} (f))", nested("{:a @}", "y", n))),
    ("destructuring of parameters", |n| format!("(fn f [{}] 1)", nested("[x @]", "y", n))),
    ("pattern", |n| format!("(case (f) {} 1)", nested("[x @]", "y", n))),
    ("quotation", |n| format!("(macro m [] `{})", nested("(f @)", "x", n))),
    ("expansion", |n| format!("(macro m [x] `(f ,x)) {}", nested("(m @)", "1", n.min(50)))),
];

/// Many parts beside one another.
pub const WIDE: &[Shape] = &[
    ("locals", |n| row(n, |i| format!("(local a{i} {i})")) + " a1"),
    ("locals that are used", |n| {
        row(n, |i| format!("(local a{i} (f {i}))")) + " (+ " + &row(n, |i| format!("a{i}")) + ")"
    }),
    ("vars that are set", |n| {
        row(n, |i| format!("(var a{i} (f {i}))")) + " " + &row(n, |i| format!("(set a{i} 2)"))
    }),
    ("locals in a function", |n| {
        format!("(fn f [] {} a1)", row(n, |i| format!("(local a{i} (f {i}))")))
    }),
    ("locals in a loop with closures", |n| {
        let locals = row(n, |i| format!("(local a{i} (f i))"));
        let uses = row(n, |i| format!("#a{i}"));
        format!("(for [i 1 3] {locals} (f [{uses}]))")
    }),
    ("locals in nested functions", |n| {
        let locals = |name: &str| row(n, |i| format!("(local {name}{i} (f {i}))"));
        let uses = |name: &str| row(n, |i| format!("(f {name}{i})"));
        format!("(fn o [] {} (fn i [] {} {} {}) i)", locals("a"), locals("b"), uses("a"), uses("b"))
    }),
    ("let", |n| format!("(let [{}] (f))", row(n, |i| format!("a{i} (f {i})")))),
    ("let of lets", |n| {
        format!("(f (let [{}] (f)) 1)", row(n, |i| format!("a{i} (let [b (f)] (+ b b))")))
    }),
    ("functions", |n| row(n, |i| format!("(fn a{i} [x] x)"))),
    ("functions that call each other", |n| {
        row(n, |i| format!("(fn a{i} [x] (if x (a{} x) (a1)))", i.max(2) - 1))
    }),
    ("upvalues", |n| {
        let level = |name: &str| row(n / 3, |i| format!("(local {name}{i} (f {i}))"));
        let uses = |name: &str| row(n / 3, |i| format!("(f {name}{i})"));
        format!(
            "(fn [] {} (fn [] {} (fn [] {} (fn [] {} {} {}))))",
            level("a"),
            level("b"),
            level("c"),
            uses("a"),
            uses("b"),
            uses("c")
        )
    }),
    ("arguments", |n| format!("(f {})", row(n, |i| i.to_string()))),
    ("arguments that are calls", |n| format!("(f {})", row(n, |i| format!("(f {i})")))),
    ("arguments with statements", |n| format!("(f {})", row(n, |i| format!("(if (f) {i} (f))")))),
    ("arguments of a method", |n| format!("(f:m {})", row(n, |i| i.to_string()))),
    ("arguments after locals", |n| {
        row(n, |i| format!("(local a{i} {i})")) + " (f " + &row(n, |i| format!("(f a{i})")) + ")"
    }),
    ("parameters", |n| format!("(fn f [{}] a1)", row(n, |i| format!("a{i}")))),
    ("parameters with patterns", |n| format!("(fn f [{}] 1)", row(n, |i| format!("[a{i} b{i}]")))),
    ("concatenation", |n| format!("(.. {})", row(n, |i| format!(":a{i}")))),
    ("concatenation of calls", |n| format!("(.. {})", row(n, |i| format!("(f {i})")))),
    ("concatenation with statements", |n| {
        format!("(.. {})", row(n, |i| format!("(if (f) {i} (f))")))
    }),
    ("concatenation after locals", |n| {
        row(n, |i| format!("(local a{i} {i})")) + " (.. " + &row(n, |i| format!("a{i}")) + ")"
    }),
    ("sum", |n| format!("(+ {})", row(n, |i| format!("(f {i})")))),
    ("difference", |n| format!("(- {})", row(n, |i| format!("(f {i})")))),
    ("power", |n| format!("(^ {})", row(n, |i| format!("(f {i})")))),
    ("comparison", |n| format!("(< {})", row(n + 1, |i| format!("(f {i})")))),
    ("and", |n| format!("(and {})", row(n, |i| format!("(f {i})")))),
    ("or with statements", |n| format!("(or {})", row(n, |i| format!("(let [x (f {i})] x)")))),
    ("sequence", |n| format!("[{}]", row(n, |i| i.to_string()))),
    ("sequence of calls", |n| format!("[{}]", row(n, |i| format!("(f {i})")))),
    ("sequence of tables", |n| format!("[{}]", row(n, |i| format!("{{:a {i}}}")))),
    ("sequence with statements", |n| format!("[{}]", row(n, |i| format!("(if (f) {i} (f))")))),
    ("table", |n| format!("{{{}}}", row(n, |i| format!(":a{i} {i}")))),
    ("table of calls", |n| format!("{{{}}}", row(n, |i| format!(":a{i} (f {i})")))),
    ("table with statements", |n| format!("{{{}}}", row(n, |i| format!(":a{i} (if (f) {i} (f))")))),
    ("values", |n| format!("(values {})", row(n, |i| format!("(f {i})")))),
    ("bound values", |n| format!("(local ({}) (f))", row(n, |i| format!("a{i}")))),
    ("clauses", |n| format!("(if {} 1)", row(n, |i| format!("(f {i}) (f {i})")))),
    ("clauses with statements", |n| {
        format!("(if {} 1)", row(n, |i| format!("(let [x (f {i})] x) (f {i})")))
    }),
    ("clauses with statements as a value", |n| {
        format!("(f (if {} 1))", row(n, |i| format!("(let [x (f {i})] x) (f {i})")))
    }),
    ("clauses of case", |n| format!("(case (f) {})", row(n, |i| format!("{i} (f {i})")))),
    ("clauses of case with patterns", |n| {
        format!("(case (f) {})", row(n, |i| format!("[{i} x & r] (f {i})")))
    }),
    ("clauses of case with guards", |n| {
        format!("(case (f) {})", row(n, |i| format!("(where [x {i}] (f x)) (f {i})")))
    }),
    ("alternatives of case", |n| {
        format!("(case (f) (where (or {})) 1)", row(n, |i| format!("[x {i}]")))
    }),
    ("steps of case-try", |n| {
        format!("(case-try (f) {} (catch _ 1))", row(n, |i| format!("a{i} (f {i})")))
    }),
    ("steps of a thread", |n| format!("(-> 1 {})", row(n, |i| format!("(f {i})")))),
    ("steps of a thread that may end", |n| format!("(-?> 1 {})", row(n, |i| format!("(f {i})")))),
    ("steps of doto", |n| format!("(doto (f) {})", row(n, |i| format!("(f {i})")))),
    ("keys", |n| format!("(. f {})", row(n, |i| format!(":a{i}")))),
    ("keys that may be missing", |n| format!("(?. f {})", row(n, |i| format!(":a{i}")))),
    ("a long path", |n| format!("f.{}", row(n, |i| format!("a{i}")).replace(' ', "."))),
    ("statements", |n| row(n, |i| format!("(f {i})"))),
    ("statements in a loop", |n| format!("(for [i 1 2] {})", row(n, |i| format!("(f {i})")))),
    ("statements in a while", |n| format!("(while (f) {})", row(n, |i| format!("(f {i})")))),
    ("loops", |n| row(n, |i| format!("(for [i 1 {i}] (f i))"))),
    ("whens", |n| row(n, |i| format!("(when (f {i}) (f {i}))"))),
    ("lets", |n| row(n, |i| format!("(let [x (f {i})] (f x))"))),
    ("pattern", |n| format!("(local [{}] (f))", row(n, |i| format!("a{i}")))),
    ("pattern with a rest", |n| format!("(local [{} & r] (f))", row(n, |i| format!("a{i}")))),
    ("pattern of tables", |n| format!("(local {{{}}} (f))", row(n, |i| format!(":a{i} a{i}")))),
    ("macros", |n| row(n.min(200), |i| format!("(macro m{i} [] {i}) (m{i})"))),
    ("globals", |n| row(n, |i| format!("(global g{i} {i})"))),
    ("strings", |n| row(n, |i| format!("(f \"text {i}\")"))),
    ("cons of metadata", |n| row(n, |i| format!("(fn a{i} [x] \"doc\" (f {i}))"))),
];
