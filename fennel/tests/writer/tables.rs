//! Forms that give tables and functions.

use super::{Both, DEEPEST, Order, Writer, fill, fill_two};

impl Writer<'_> {
    /// A table with the numbers `a`, `b` and `c`.
    pub(super) fn table(&mut self) -> Both {
        let tables = self.scope.tables.clone();
        if let (1, Some(name)) = (self.pick(2), self.one_of(&tables)) {
            return Both::same(name);
        }
        if self.depth >= DEEPEST {
            return Both::same("{:a 1 :b 2 :c 3}");
        }
        self.inner(|writer| {
            let (a, b, c) = (writer.number(), writer.later(), writer.later());
            match writer.pick(3) {
                0 => fill_two("{:a @ :b @ :c @}", "{:a @ \"b\" @ (.. :c \"\") @}", &[&a, &b, &c]),
                1 => fill_two(
                    "(do {:a @ :b @ :c @})",
                    "(let [(a b c) (values @ @ @)] {: a : b : c})",
                    &[&a, &b, &c],
                ),
                _ => fill_two(
                    "(collect [k v (pairs {:a 1 :b 2 :c 3})] k (+ v @))",
                    "(collect [k v (pairs {:a 1 :b 2 :c 3})] (values k (+ v @)))",
                    &[&a],
                )
                .unless(
                    writer.order == Order::FirstOnly || a.plain.contains('('),
                    &fill("{:a @ :b @ :c @}", &[&a, &b, &c]),
                ),
            }
        })
    }

    /// A sequence of numbers.
    pub(super) fn sequence(&mut self) -> Both {
        let sequences = self.scope.sequences.clone();
        if let (1, Some(name)) = (self.pick(2), self.one_of(&sequences)) {
            return Both::same(name);
        }
        if self.depth >= DEEPEST {
            return Both::same("[1 2]");
        }
        self.inner(Self::compound_sequence)
    }

    fn compound_sequence(&mut self) -> Both {
        match self.pick(8) {
            0 => {
                let a = self.number();
                fill_two("[@]", "[(do @)]", &[&a])
            }
            1 => {
                let (a, b) = self.two_numbers();
                fill_two("[@ @ 3]", "[(let [] @) (values @) (do 3)]", &[&a, &b])
                    .unless(self.order == Order::FirstOnly, &fill("[@ @ 3]", &[&a, &b]))
            }
            2 => {
                let (a, b) = self.two_numbers();
                fill_two("[(values @ @)]", "[@ @]", &[&a, &b])
            }
            3 => {
                let sequence = self.sequence();
                self.scoped(|writer| {
                    writer.bind_number("v");
                    let (keep, value) = (writer.bool(), writer.number());
                    fill_two(
                        "(icollect [_ v (ipairs @)] (if @ @))",
                        "(icollect [_ v (ipairs @)] (when @ @))",
                        &[&sequence, &keep, &value],
                    )
                })
            }
            4 => self.scoped(|writer| {
                writer.bind_number("i");
                let value = writer.number();
                fill_two(
                    "(fcollect [i 1 2] @)",
                    "(let [out []] (for [i 1 2] (tset out (+ (length out) 1) @)) out)",
                    &[&value],
                )
            }),
            5 => {
                let a = self.number();
                fill_two("[(pair @)]", "[((fn [...] ...) (pair @))]", &[&a])
            }
            6 if self.scope.vararg => Both::two("[...]", "[(select 1 ...)]"),
            _ => {
                let (condition, a, b) = (self.bool(), self.sequence(), self.sequence());
                fill_two(
                    "[(table.unpack (if @ @ @))]",
                    "(let [s (if @ @ @)] [(table.unpack s)])",
                    &[&condition, &a, &b],
                )
            }
        }
    }

    /// A function from a number to a number.
    pub(super) fn function(&mut self) -> Both {
        let functions = self.scope.functions.clone();
        if let (1 | 2, Some(name)) = (self.pick(3), self.one_of(&functions)) {
            return Both::same(name);
        }
        if self.depth >= DEEPEST {
            return Both::same("say");
        }
        let name = self.name("p");
        let body = self.inner(|writer| {
            writer.function_body(false, |writer| {
                writer.bind_number(&name);
                writer.body()
            })
        });
        let name = Both::same(name);
        fill_two("(fn [@] @)", "(lambda [@] @)", &[&name, &body])
    }
}
