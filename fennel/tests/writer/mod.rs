//! Writes random programs that run to their end, each in two spellings that mean the same.
//!
//! What is random comes from bytes: where they end, the simplest choice is taken, so that fewer
//! bytes give a smaller program.

mod bools;
mod numbers;
mod statements;
mod tables;

/// Text in two spellings.
#[derive(Debug, Clone)]
pub struct Both {
    pub plain: String,
    pub other: String,
}

impl Both {
    pub fn same(text: impl Into<String>) -> Self {
        let plain = text.into();
        Both { other: plain.clone(), plain }
    }

    pub fn two(plain: impl Into<String>, other: impl Into<String>) -> Self {
        Both { plain: plain.into(), other: other.into() }
    }
}

/// Puts parts into a text at each `@`.
pub fn fill(shape: &str, parts: &[&Both]) -> Both {
    fill_two(shape, shape, parts)
}

/// The same with a shape for each spelling. `@` takes the parts in order; `@0` to `@9` by number.
pub fn fill_two(plain: &str, other: &str, parts: &[&Both]) -> Both {
    Both {
        plain: filled(plain, parts, |part| &part.plain),
        other: filled(other, parts, |part| &part.other),
    }
}

fn filled<'b>(shape: &str, parts: &[&'b Both], text: impl Fn(&'b Both) -> &'b String) -> String {
    let mut out = String::new();
    let mut next = 0;
    let mut chars = shape.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '@' {
            out.push(c);
            continue;
        }
        let index = match chars.peek().and_then(|c| c.to_digit(10)) {
            Some(digit) => {
                chars.next();
                digit as usize
            }
            None => {
                next += 1;
                next - 1
            }
        };
        out.push_str(text(parts[index]));
    }
    out
}

/// What a program may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Any argument may have effects.
    Any,
    /// Only the first of several may: the reference does not keep the order of the others.
    FirstOnly,
}

/// The names in scope, by what they hold.
#[derive(Debug, Clone, Default)]
struct Scope {
    /// Numbers that do not change.
    numbers: Vec<String>,
    /// Numbers that may be set.
    vars: Vec<String>,
    /// Tables with the numbers `a`, `b` and `c`.
    tables: Vec<String>,
    /// Sequences of numbers.
    sequences: Vec<String>,
    /// Functions from a number to a number.
    functions: Vec<String>,
    /// Whether `...` is there, all numbers.
    vararg: bool,
    /// Whether the code is in `#(…)`.
    hash: bool,
}

pub struct Writer<'b> {
    bytes: &'b [u8],
    order: Order,
    names: usize,
    depth: usize,
    scope: Scope,
}

/// What every program begins with.
pub const PRELUDE: &str = "(fn say [x] (print x) x)
(fn pair [x] (print :pair x) (values x (+ x 1)))
(fn count [...] (select :# ...))
(local obj {:n 3 :add (fn [self x] (+ self.n (or x 0)))})
(macro twice [x] `(do ,x ,x))
(macro my-if [c ...] `(if ,c (do ,...) 0))
(macro with [name value ...] `(let [,name ,value] ,...))
";

const DEEPEST: usize = 6;

impl<'b> Writer<'b> {
    /// The program that some bytes stand for.
    pub fn program(bytes: &'b [u8], order: Order) -> Both {
        let mut writer = Writer { bytes, order, names: 0, depth: 0, scope: Scope::default() };
        let mut parts = Vec::new();
        while !writer.bytes.is_empty() && parts.len() < 12 {
            parts.push(writer.statement());
        }
        parts.push(writer.result());
        let lines = |text: fn(&Both) -> &String| {
            parts.iter().map(text).cloned().collect::<Vec<_>>().join("\n")
        };
        Both::two(
            format!("{PRELUDE}{}", lines(|part| &part.plain)),
            format!("{PRELUDE}{}", lines(|part| &part.other)),
        )
    }

    /// The values that a program gives.
    fn result(&mut self) -> Both {
        match self.pick(4) {
            0 => self.number(),
            1 => self.sequence(),
            2 => {
                let (a, b) = self.two_numbers();
                fill("(values @ @)", &[&a, &b])
            }
            _ => self.bool(),
        }
    }

    fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((&first, rest)) => {
                self.bytes = rest;
                first
            }
            None => 0,
        }
    }

    /// One of so many choices; 0 where nothing is left or the program is deep enough.
    fn pick(&mut self, choices: usize) -> usize {
        usize::from(self.byte()) % choices
    }

    fn one_of(&mut self, names: &[String]) -> Option<String> {
        let index = self.pick(names.len().max(1));
        names.get(index).cloned()
    }

    fn name(&mut self, base: &str) -> String {
        self.names += 1;
        // Now and then a name that was used before, or one that Lua reserves.
        match self.pick(8) {
            7 => ["end", "x?", "a-b", "local*", "nil?", "not-it", "_G2", "λx"][self.names % 8]
                .to_owned(),
            6 => format!("{base}1"),
            _ => format!("{base}{}", self.names),
        }
    }

    /// Writes something inside of the form at hand.
    fn inner<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        let written = write(self);
        self.depth -= 1;
        written
    }

    /// Writes something whose names do not outlive it.
    fn scoped<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let scope = self.scope.clone();
        let written = write(self);
        self.scope = scope;
        written
    }

    /// Forgets what a new name hides.
    fn hide(&mut self, name: &str) {
        let scope = &mut self.scope;
        for names in [
            &mut scope.numbers,
            &mut scope.vars,
            &mut scope.tables,
            &mut scope.sequences,
            &mut scope.functions,
        ] {
            names.retain(|known| known != name);
        }
    }

    fn bind_number(&mut self, name: &str) {
        self.hide(name);
        self.scope.numbers.push(name.to_owned());
    }

    /// The body of a function: none of the variables around it changes meaning, `...` does.
    fn function_body<T>(&mut self, vararg: bool, write: impl FnOnce(&mut Self) -> T) -> T {
        self.scoped(|writer| {
            writer.scope.vararg = vararg;
            writer.scope.hash = false;
            write(writer)
        })
    }

    /// Forms one after the other, the last of which gives a number.
    fn body(&mut self) -> Both {
        self.scoped(|writer| {
            let count = writer.pick(3);
            let mut parts: Vec<Both> = (0..count).map(|_| writer.inner(Self::statement)).collect();
            parts.push(writer.number());
            joined(&parts)
        })
    }

    /// Statements.
    fn statements(&mut self) -> Both {
        self.scoped(|writer| {
            let count = writer.pick(2) + 1;
            let parts: Vec<Both> = (0..count).map(|_| writer.inner(Self::statement)).collect();
            joined(&parts)
        })
    }
}

fn joined(parts: &[Both]) -> Both {
    let text =
        |text: fn(&Both) -> &String| parts.iter().map(text).cloned().collect::<Vec<_>>().join(" ");
    Both::two(text(|part| &part.plain), text(|part| &part.other))
}
