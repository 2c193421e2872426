//! Forms that give a number.

use super::{Both, DEEPEST, Order, Writer, fill, fill_two};

impl Writer<'_> {
    /// A number without effects that no effect changes.
    pub(super) fn plain_number(&mut self) -> Both {
        let numbers = self.scope.numbers.clone();
        match (self.pick(3), self.one_of(&numbers)) {
            (1, Some(name)) => Both::same(name),
            (2, Some(name)) => fill("(+ @ 1)", &[&Both::same(name)]),
            _ => Both::same(["0", "1", "2", "-3", "7", "0.5"][self.pick(6)]),
        }
    }

    /// A number that stands behind another form.
    pub(super) fn later(&mut self) -> Both {
        match self.order {
            Order::Any => self.number(),
            Order::FirstOnly => self.plain_number(),
        }
    }

    pub(super) fn two_numbers(&mut self) -> (Both, Both) {
        (self.number(), self.later())
    }

    /// Any number.
    pub(super) fn number(&mut self) -> Both {
        if self.depth >= DEEPEST || self.bytes.is_empty() {
            return self.plain_number();
        }
        let number = self.inner(Self::compound_number);
        // The same value, wrapped.
        match self.pick(12) {
            7 => fill_two("@", "(do @)", &[&number]),
            8 => fill_two("@", "(let [] @)", &[&number]),
            9 => fill_two("@", "(#@)", &[&number])
                .unless(self.scope.hash || self.scope.vararg, &number),
            10 => fill_two("@", "(values @)", &[&number]),
            11 => {
                fill_two("@", "(let [wrapped# @] wrapped#)".replace('#', "").as_str(), &[&number])
            }
            _ => number,
        }
    }

    fn compound_number(&mut self) -> Both {
        match self.pick(38) {
            0 => self.plain_number(),
            1 => {
                let vars = self.scope.vars.clone();
                self.one_of(&vars).map_or_else(|| self.plain_number(), Both::same)
            }
            2 => {
                let a = self.number();
                fill_two("(say @)", "(-> @ say)", &[&a])
            }
            3 => {
                let (a, b) = self.two_numbers();
                let operator = ["+", "-", "*", "math.max"][self.pick(4)];
                let plain = format!("({operator} @ @)");
                fill_two(&plain, &format!("(-> @ ({operator} @))"), &[&a, &b])
            }
            4 => {
                let (a, b, c) = (self.number(), self.later(), self.later());
                fill_two("(+ @ @ @)", "(+ (+ @ @) @)", &[&a, &b, &c])
            }
            5 => {
                let (condition, a, b) = (self.bool(), self.body(), self.number());
                fill_two("(if @ (do @) @)", "(case @ true (do @) false @)", &[&condition, &a, &b])
            }
            6 => {
                let parts = [self.bool(), self.number(), self.bool(), self.number(), self.number()];
                fill_two("(if @ @ @ @ @)", "(if @ @ (if @ @ @))", &parts.each_ref())
            }
            7 => {
                let body = self.body();
                fill_two("(do @)", "(let [] @)", &[&body])
            }
            8 => self.let_number(),
            9 => self.let_values(),
            10 => {
                let (value, table) = (self.sequence(), self.name("d"));
                self.scoped(|writer| {
                    writer.bind_number(&table);
                    let name = Both::same(&table);
                    let body = writer.body();
                    fill_two(
                        "(let [[@1] @0 @1 (or @1 0)] @2)",
                        "(let [whole @0 @1 (or (. whole 1) 0)] @2)",
                        &[&value, &name, &body],
                    )
                })
            }
            11 => {
                let (value, name) = (self.table(), self.name("d"));
                self.scoped(|writer| {
                    writer.bind_number(&name);
                    let name = Both::same(&name);
                    let body = writer.body();
                    fill_two(
                        "(let [{:a @1} @0] @2)",
                        "(let [@1 (. @0 :a)] @2)",
                        &[&value, &name, &body],
                    )
                })
            }
            12 => {
                let function = self.function();
                let a = self.later();
                fill_two("(@ @)", "((fn [...] (@ ...)) @)", &[&function, &a])
                    .unless(self.order == Order::FirstOnly, &fill("(@ @)", &[&function, &a]))
            }
            13 => {
                let name = self.name("p");
                let body = self.function_body(false, |writer| {
                    writer.bind_number(&name);
                    writer.body()
                });
                let a = self.later();
                let name = Both::same(name);
                fill_two(
                    "((fn [@0] @1) @2)",
                    "(let [lam (lambda [@0] @1)] (lam @2))",
                    &[&name, &body, &a],
                )
            }
            14 => {
                let (a, b) = self.two_numbers();
                fill_two("(#(+ $1 $2) @ @)", "((fn [x y] (+ x y)) @ @)", &[&a, &b])
            }
            15 => {
                let (start, name) = (self.number(), self.name("s"));
                self.scoped(|writer| {
                    // It is in scope where the sequence is computed.
                    writer.bind_number(&name);
                    let sequence = writer.sequence();
                    writer.bind_number("item");
                    let (name, body) = (Both::same(&name), writer.number());
                    fill_two(
                        "(accumulate [@0 @1 _ item (ipairs @2)] @3)",
                        "(do (var @0 @1) (each [_ item (ipairs @2)] (set @0 @3)) @0)",
                        &[&name, &start, &sequence, &body],
                    )
                })
            }
            16 => self.case_number(),
            17 => {
                let (a, b) = self.two_numbers();
                fill_two("(-> @ (+ @) (* 2))", "(* (+ @ @) 2)", &[&a, &b])
            }
            18 => {
                let a = self.number();
                fill_two("(->> @ (+ 1) (- 2))", "(- 2 (+ 1 @))", &[&a])
            }
            19 => {
                let a = self.number();
                fill_two("(or (-?> @ (say) (+ 1)) 0)", "(let [v @] (+ (say v) 1))", &[&a])
            }
            20 => {
                let table = self.table();
                let key = ["a", "b", "c"][self.pick(3)];
                fill_two(&format!("(. @ :{key})"), &format!("(?. @ :{key})"), &[&table])
            }
            21 => {
                let sequence = self.sequence();
                fill_two("(length @)", "(let [s @] (length s))", &[&sequence])
            }
            22 => {
                if self.scope.vararg {
                    Both::two("(select :# ...)", "(count ...)")
                } else {
                    self.plain_number()
                }
            }
            23 => {
                let (a, b) = self.two_numbers();
                fill_two("(+ 0 (values @ @))", "(+ 0 @ @)", &[&a, &b])
            }
            24 => {
                let a = self.number();
                fill_two("(obj:add @)", "(: obj :add @)", &[&a])
            }
            25 => {
                let (a, b) = (self.bool(), self.number());
                fill_two("(or (and @ @) 0)", "(or (if @ @ false) 0)", &[&a, &b])
            }
            26 => {
                let (a, b) = self.two_numbers();
                fill_two("(count @ (pair @))", "(count @ @ 1)", &[&a, &b])
                    .unless(true, &fill("(count @ (pair @))", &[&a, &b]))
            }
            27 => {
                let a = self.number();
                fill_two("((partial say @))", "((let [v @] #(say v)))", &[&a])
            }
            28 => {
                let (a, body) = (
                    self.number(),
                    self.scoped(|writer| {
                        writer.bind_number("t");
                        writer.number()
                    }),
                );
                fill_two("(with t @ @)", "(let [t @] @)", &[&a, &body])
            }
            29 => {
                let (a, b) = (self.bool(), self.body());
                fill_two("(my-if @ @)", "(if @ (do @) 0)", &[&a, &b])
            }
            30 => {
                let a = self.number();
                fill_two("(pick-values 1 (pair @))", "(let [first (pair @)] first)", &[&a])
            }
            31 => {
                let (a, b) = (self.number(), self.number());
                fill_two(
                    "(case-try @ v (say v) w (+ w @) x x (catch _ 0))",
                    "(let [v @] (let [w (say v)] (+ w @)))",
                    &[&a, &b],
                )
            }
            32 => {
                let table = self.table();
                fill_two(
                    "(. (doto @ (tset :a 5) (tset :b 6)) :a)",
                    "(let [t @] (tset t :a 5) (tset t :b 6) t.a)",
                    &[&table],
                )
            }
            33 => {
                let name = self.name("i");
                self.scoped(|writer| {
                    let start = writer.number();
                    writer.bind_number("sum");
                    writer.bind_number(&name);
                    let (name, body) = (Both::same(&name), writer.number());
                    fill_two(
                        "(faccumulate [sum @1 @0 1 2] @2)",
                        "(do (var sum @1) (for [@0 1 2] (set sum @2)) sum)",
                        &[&name, &start, &body],
                    )
                })
            }
            34 => {
                let (a, b) = (self.number(), self.number());
                fill_two(
                    "(if (do (say 1) false) @ @)",
                    "(do (say 1) (let [no false] (if no @ @)))",
                    &[&a, &b],
                )
            }
            35 => {
                let (name, parameter) = (self.name("f"), self.name("p"));
                self.scoped(|writer| {
                    writer.hide(&name);
                    let body = writer.function_body(true, |writer| {
                        writer.bind_number(&parameter);
                        writer.body()
                    });
                    let (a, b) = (writer.number(), writer.later());
                    let (name, parameter) = (Both::same(&name), Both::same(&parameter));
                    fill_two(
                        "(do (fn @0 [@1 ...] @2) (@0 @3 @4 (pair 1)))",
                        "(let [@0 (fn [@1 ...] @2)] (@0 @3 @4 (pair 1)))",
                        &[&name, &parameter, &body, &a, &b],
                    )
                })
            }
            36 => {
                let (a, b, c) = (self.number(), self.later(), self.later());
                fill_two(
                    "(length (.. @ :x @ \"y z\" @))",
                    "(length (.. @ (.. :x @) (.. \"y z\" @)))",
                    &[&a, &b, &c],
                )
            }
            _ => {
                let table = self.table();
                let (a, b) = (self.number(), self.number());
                fill_two(
                    "(let [{: a :b [_ & rest]} {:a @1 :b [1 @2] :c @0}] (+ a (length rest)))",
                    "(let [t {:a @1 :b [1 @2] :c @0} a t.a] (+ a 1))",
                    &[&table, &a, &b],
                )
                .unless(self.order == Order::FirstOnly, &a)
            }
        }
    }

    fn let_number(&mut self) -> Both {
        let (first, second) = (self.name("l"), self.name("m"));
        let a = self.number();
        self.scoped(|writer| {
            writer.bind_number(&first);
            let b = writer.number();
            writer.bind_number(&second);
            let body = writer.body();
            let (first, second) = (Both::same(&first), Both::same(&second));
            fill_two(
                "(let [@0 @1 @2 @3] @4)",
                "(do (local @0 @1) (local @2 @3) @4)",
                &[&first, &a, &second, &b, &body],
            )
        })
    }

    fn let_values(&mut self) -> Both {
        let (first, second) = (self.name("l"), self.name("m"));
        if first == second {
            return self.plain_number();
        }
        let (a, b) = self.two_numbers();
        self.scoped(|writer| {
            writer.bind_number(&first);
            writer.bind_number(&second);
            let body = writer.body();
            let (first, second) = (Both::same(&first), Both::same(&second));
            fill_two(
                "(let [(@0 @1) (values @2 @3)] @4)",
                "(let [[@0 @1] [@2 @3]] @4)",
                &[&first, &second, &a, &b, &body],
            )
        })
    }

    fn case_number(&mut self) -> Both {
        let name = self.name("c");
        let (value, one, other) = (self.number(), self.number(), self.number());
        let shape = self.pick(3);
        self.scoped(|writer| {
            writer.bind_number(&name);
            // The reference takes a guard that is the word `false` for no guard.
            let guard = fill("(and @ true)", &[&writer.bool()]);
            let body = writer.number();
            let name = Both::same(&name);
            let parts = [&name, &value, &one, &guard, &body, &other];
            match shape {
                0 => fill_two(
                    "(case @1 1 @2 (where @0 @3) @4 _ @5)",
                    "(let [@0 @1] (if (= @0 1) @2 @3 @4 @5))",
                    &[&name, &value, &one, &guard, &body, &other],
                )
                .unless(
                    mentions(&one, &name) || mentions(&other, &name),
                    &fill("(case @1 1 @2 (where @0 @3) @4 _ @5)", &parts),
                ),
                1 => fill_two(
                    "(case [@1 2] [1 x] @2 (where [@0 2] @3) @4 _ @5)",
                    "(case [@1 2] [1 x] @2 (where [@0 2] @3) @4 (where _) @5)",
                    &parts,
                ),
                _ => fill_two(
                    "(case (values @1 2) (1 1) @2 (@0 2) @4 _ @5)",
                    "(case (values @1 2) (1 1) @2 (where (or (@0 2) (@0 2))) @4 (where _) @5)",
                    &parts,
                ),
            }
        })
    }
}

/// Whether a text has a name in it, as far as letters tell.
fn mentions(text: &Both, name: &Both) -> bool {
    text.plain.contains(&name.plain)
}

impl Both {
    /// The other text where a condition holds.
    pub(super) fn unless(self, condition: bool, other: &Both) -> Both {
        if condition { other.clone() } else { self }
    }
}
