//! Forms that are there for their effects.

use super::{Both, DEEPEST, Order, Writer, fill, fill_two};

impl Writer<'_> {
    pub(super) fn statement(&mut self) -> Both {
        if self.depth >= DEEPEST || self.bytes.is_empty() {
            let a = self.plain_number();
            return fill("(print @)", &[&a]);
        }
        self.inner(Self::compound_statement)
    }

    fn compound_statement(&mut self) -> Both {
        match self.pick(24) {
            0 => {
                let (a, b) = self.two_numbers();
                fill_two("(print @ @)", "(do (print @ @))", &[&a, &b])
            }
            1 => {
                let (name, value) = (self.name("v"), self.number());
                self.hide(&name);
                self.scope.vars.push(name.clone());
                fill_two("(var @ @)", "(var (@) @)", &[&Both::same(name), &value])
            }
            2 => {
                let (name, value) = (self.name("n"), self.number());
                self.bind_number(&name);
                fill_two("(local @ @)", "(local (@) @)", &[&Both::same(name), &value])
            }
            3 => {
                let (name, value) = (self.name("t"), self.table());
                self.hide(&name);
                self.scope.tables.push(name.clone());
                fill("(local @ @)", &[&Both::same(name), &value])
            }
            4 => {
                let (name, value) = (self.name("s"), self.sequence());
                self.hide(&name);
                self.scope.sequences.push(name.clone());
                fill("(local @ @)", &[&Both::same(name), &value])
            }
            5 => {
                let (name, parameter) = (self.name("f"), self.name("p"));
                let body = self.function_body(false, |writer| {
                    writer.hide(&name);
                    writer.bind_number(&parameter);
                    writer.body()
                });
                self.hide(&name);
                self.scope.functions.push(name.clone());
                let (name, parameter) = (Both::same(name), Both::same(parameter));
                fill_two("(fn @ [@] @)", "(local @ (fn [@] @))", &[&name, &parameter, &body])
            }
            6 | 7 => {
                let vars = self.scope.vars.clone();
                let value = self.number();
                match self.one_of(&vars) {
                    Some(name) => {
                        let name = Both::same(name);
                        fill_two("(set @ @)", "(do (set @ @))", &[&name, &value])
                    }
                    None => fill("(say @)", &[&value]),
                }
            }
            8 => {
                let (table, value) = (self.table(), self.later());
                // The reference sets a field of a name only.
                fill_two("(tset @ :a @)", "(let [tab @] (set (. tab :a) @))", &[&table, &value])
            }
            9 => {
                let tables = self.scope.tables.clone();
                let value = self.number();
                match self.one_of(&tables) {
                    Some(name) => {
                        let name = Both::same(name);
                        fill_two("(set @.b @)", "(tset @ :b @)", &[&name, &value])
                    }
                    None => fill("(say @)", &[&value]),
                }
            }
            10 => {
                let (condition, body) = (self.bool(), self.statements());
                fill_two("(when @ @)", "(if @ (do @))", &[&condition, &body])
            }
            11 => {
                let (condition, body) = (self.bool(), self.statements());
                let unless = match self.order {
                    Order::Any => "(unless @ @)",
                    // The reference has none yet.
                    Order::FirstOnly => "(when (not @) @)",
                };
                fill_two(unless, "(if @ nil (do @))", &[&condition, &body])
            }
            12 => {
                let parts = [self.bool(), self.statements(), self.bool(), self.statements()];
                fill_two("(if @ (do @) @ (do @))", "(if @ (do @) (when @ @))", &parts.each_ref())
            }
            13 => {
                let name = self.name("i");
                self.scoped(|writer| {
                    let end = writer.pick(3);
                    writer.bind_number(&name);
                    let (until, body) = (writer.bool(), writer.statements());
                    let shape = format!("(for [@ 1 {end} &until @] @)");
                    fill_two(&shape, &shape, &[&Both::same(&name), &until, &body])
                })
            }
            14 => {
                let (sequence, name) = (self.sequence(), self.name("e"));
                self.scoped(|writer| {
                    writer.bind_number(&name);
                    let body = writer.statements();
                    fill_two(
                        "(each [_ @1 (ipairs @0)] @2)",
                        "(each [_ @1 (ipairs (do @0))] (do @2))",
                        &[&sequence, &Both::same(&name), &body],
                    )
                })
            }
            15 => {
                let name = self.name("w");
                self.scoped(|writer| {
                    writer.bind_number(&name);
                    let body = writer.statements();
                    fill_two(
                        "(do (var @0 0) (while (< @0 2) (set @0 (+ @0 1)) @1))",
                        "(do (var @0 0) (while (do (let [y 2] (< @0 y))) (set @0 (+ @0 1)) @1))",
                        &[&Both::same(&name), &body],
                    )
                })
            }
            16 => {
                let body = self.statements();
                fill_two("(do @)", "(let [] @)", &[&body])
            }
            17 => {
                let (name, a) = (self.name("l"), self.number());
                self.scoped(|writer| {
                    writer.bind_number(&name);
                    let body = writer.statements();
                    fill_two(
                        "(let [@ @] @)",
                        "(do (local @ @) @)",
                        &[&Both::same(&name), &a, &body],
                    )
                })
            }
            18 => {
                let (value, body) = (self.number(), self.statements());
                fill_two(
                    "(case @ 1 (do @) x# (say x#))".replace('#', "").as_str(),
                    "(match @ 1 (do @) xx (say xx))",
                    &[&value, &body],
                )
                .unless(self.order == Order::FirstOnly, &fill("(say @)", &[&value]))
            }
            19 => {
                let body = self.statements();
                fill_two("(twice (do @))", "(do (do @0) (do @0))", &[&body])
            }
            20 => {
                let (first, second) = (self.name("q"), self.name("r"));
                if first == second {
                    return fill("(say @)", &[&self.plain_number()]);
                }
                let (a, b) = self.two_numbers();
                self.bind_number(&first);
                self.bind_number(&second);
                let parts = [Both::same(first), Both::same(second), a, b];
                fill_two("(local (@ @) (values @ @))", "(local [@ @] [@ @])", &parts.each_ref())
            }
            21 => {
                let vars = self.scope.vars.clone();
                let name = self.one_of(&vars);
                let (a, body) = (self.number(), self.statements());
                match name {
                    Some(name) => {
                        let name = Both::same(name);
                        fill_two(
                            "(let [f #(set @0 (+ @0 $))] (f @1) @2)",
                            "(let [f (fn [x] (set @0 (+ @0 x)))] (f @1) @2)",
                            &[&name, &a, &body],
                        )
                    }
                    None => fill("(do @ (say @))", &[&body, &a]),
                }
            }
            22 => {
                let a = self.number();
                fill_two(
                    "(let [fs []] (for [i 1 2] (tset fs i #(+ i @))) (each [_ f (ipairs fs)] (say (f))))",
                    "(let [fs (fcollect [i 1 2] (fn [] (+ i @)))] (each [_ f (ipairs fs)] (say (f))))",
                    &[&a],
                )
                .unless(self.scope.vararg || self.scope.hash || a.plain.contains("..."), &fill("(say @)", &[&a]))
            }
            _ => {
                let a = self.number();
                fill_two("(do (global g1 @) (say g1))", "(do (set _G.g1 @) (say _G.g1))", &[&a])
            }
        }
    }
}
