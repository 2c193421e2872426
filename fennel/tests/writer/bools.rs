//! Forms that give true or false.

use super::{Both, DEEPEST, Writer, fill_two};

impl Writer<'_> {
    pub(super) fn bool(&mut self) -> Both {
        if self.depth >= DEEPEST || self.bytes.is_empty() {
            return Both::same(["true", "false"][self.pick(2)]);
        }
        self.inner(Self::compound_bool)
    }

    fn compound_bool(&mut self) -> Both {
        match self.pick(10) {
            0 => Both::same("true"),
            1 => Both::same("false"),
            2 => {
                let (a, b) = self.two_numbers();
                let operator = ["<", "<=", ">", ">=", "=", "not="][self.pick(6)];
                let shape = format!("({operator} @ @)");
                let other = match operator {
                    "not=" => "(not (= @ @))",
                    "=" => "(not (not= @ @))",
                    _ => &shape,
                };
                fill_two(&shape, other, &[&a, &b])
            }
            3 => {
                let (a, b, c) = (self.number(), self.later(), self.plain_number());
                fill_two("(< @ @ @)", "(let [x1 @ x2 @] (and (< x1 x2) (< x2 @)))", &[&a, &b, &c])
                    .unless(
                        self.order == super::Order::FirstOnly,
                        &super::fill("(< @ @ @)", &[&a, &b, &c]),
                    )
            }
            4 => {
                let a = self.bool();
                fill_two("(not @)", "(if @ false true)", &[&a])
            }
            5 => {
                let (a, b) = (self.bool(), self.bool());
                fill_two("(and @ @)", "(if @ @ false)", &[&a, &b])
            }
            6 => {
                let (a, b) = (self.bool(), self.bool());
                fill_two("(or @ @)", "(if @ true @)", &[&a, &b])
            }
            7 => {
                let (a, b, c) = (self.bool(), self.bool(), self.bool());
                fill_two("(and @ (or @ @))", "(and @ (or (let [] @) (do @)))", &[&a, &b, &c])
            }
            8 => {
                let (statements, a) = (self.statements(), self.bool());
                fill_two("(do (do @) @)", "(let [] (let [] @) @)", &[&statements, &a])
            }
            _ => {
                let a = self.number();
                fill_two("(case @ 1 true _ false)", "(= 1 @)", &[&a])
            }
        }
    }
}
