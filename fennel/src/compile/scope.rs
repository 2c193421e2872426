//! Which name means what: the locals and macros in scope, and the Lua names they go by.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::lua::{Expr, names};
use crate::source::{FileId, Span};

/// What a name is bound to.
#[derive(Debug, Clone)]
pub(crate) enum Binding {
    Local(Local),
    /// A macro of the program.
    Macro(mlua::Function),
    /// A table of macros, called as `table.name`.
    Macros(mlua::Table),
}

/// A local variable.
#[derive(Debug, Clone)]
pub(crate) struct Local {
    /// Where Lua keeps it.
    pub(crate) target: Expr,
    /// Whether `set` may change it.
    pub(crate) mutable: bool,
    /// Whether anything has read it.
    pub(crate) used: bool,
    /// Where it is bound.
    pub(crate) span: Span,
    /// Whether a person wrote the name, and would want to know that it is not used.
    pub(crate) written: bool,
}

/// How a name may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// `let`, `local`, parameters.
    Constant,
    /// `var`.
    Variable,
}

/// A local that nothing has read.
#[derive(Debug, Clone)]
pub(crate) struct Unused {
    pub(crate) name: Rc<str>,
    pub(crate) span: Span,
}

/// The names in scope.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    /// The innermost one last.
    bindings: FxHashMap<Rc<str>, Vec<Binding>>,
    /// What to take back when a scope is left, in the order it was bound.
    bound: Vec<Rc<str>>,
    /// Lua names of the locals in scope.
    taken: FxHashSet<Rc<str>>,
    /// Lua names in the order they were taken.
    taking: Vec<Rc<str>>,
    /// How many names were made.
    made: u32,
    unused: Vec<Unused>,
    /// Where names stand that are used. Macros may bind one name several times, for a guard and for
    /// a body: it is used if one of these is.
    used: FxHashSet<(FileId, u32)>,
}

/// A place to go back to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    bound: usize,
    taking: usize,
}

/// Stands in the names of made symbols: no symbol in a source file can hold it.
pub(crate) const MADE: char = '~';

/// Lua's own names which compiled code relies on.
const RELIED_ON: [&str; 6] = ["_ENV", "_G", "_rest", "getmetatable", "table", "type"];

impl Scopes {
    pub(crate) fn mark(&self) -> Mark {
        Mark { bound: self.bound.len(), taking: self.taking.len() }
    }

    /// Leaves all scopes that were entered since.
    pub(crate) fn back_to(&mut self, mark: Mark) {
        for name in self.bound.drain(mark.bound..).rev() {
            let Some(stack) = self.bindings.get_mut(&name) else { continue };
            let Some(Binding::Local(local)) = stack.pop() else { continue };
            if !local.written || name.starts_with('_') {
                continue;
            }
            if local.used {
                self.used.insert((local.span.file, local.span.start));
            } else {
                self.unused.push(Unused { name, span: local.span });
            }
        }
        for name in self.taking.drain(mark.taking..) {
            self.taken.remove(&name);
        }
    }

    /// Says that the name which is bound here is used.
    pub(crate) fn note_used(&mut self, span: Span) {
        self.used.insert((span.file, span.start));
    }

    /// The names that nothing uses, in the order of the source.
    pub(crate) fn take_unused(&mut self) -> Vec<Unused> {
        let mut unused = std::mem::take(&mut self.unused);
        unused.retain(|one| !self.used.contains(&(one.span.file, one.span.start)));
        unused.sort_by_key(|one| (one.span.file, one.span.start));
        unused.dedup_by_key(|one| (one.span.file, one.span.start));
        unused
    }

    pub(crate) fn bind(&mut self, name: Rc<str>, binding: Binding) {
        self.bindings.entry(name.clone()).or_default().push(binding);
        self.bound.push(name);
    }

    /// What a name is bound to, in the innermost scope that binds it.
    pub(crate) fn find(&self, name: &str) -> Option<&Binding> {
        self.bindings.get(name)?.last()
    }

    pub(crate) fn find_local(&mut self, name: &str) -> Option<&mut Local> {
        match self.bindings.get_mut(name)?.last_mut()? {
            Binding::Local(local) => Some(local),
            Binding::Macro(_) | Binding::Macros(_) => None,
        }
    }

    pub(crate) fn is_local(&self, name: &str) -> bool {
        matches!(self.find(name), Some(Binding::Local(_)))
    }

    /// The names that are bound, for suggestions.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.bindings.iter().filter(|(_, stack)| !stack.is_empty()).map(|(name, _)| &**name)
    }

    /// The names in scope with the Lua names of locals; macros have none.
    pub(crate) fn manglings(&self) -> Vec<(String, Option<String>)> {
        let bound = self.bindings.iter().filter_map(|(name, stack)| {
            let lua_name = match stack.last()? {
                Binding::Local(local) => match &local.target.kind {
                    crate::lua::ExprKind::Name(name) => Some(name.text.to_string()),
                    _ => Some(String::new()),
                },
                Binding::Macro(_) | Binding::Macros(_) => None,
            };
            Some((name.to_string(), lua_name))
        });
        bound.collect()
    }

    /// Whether a local in scope goes by this Lua name.
    pub(crate) fn is_taken(&self, lua_name: &str) -> bool {
        self.taken.contains(lua_name)
    }

    /// Takes a Lua name for a local of this name: the plain one if it is free.
    pub(crate) fn take(&mut self, name: &str) -> Rc<str> {
        let base = if names::is_name(name.as_bytes()) {
            name.to_owned()
        } else {
            match name.rsplit_once(MADE) {
                Some((base, number)) if is_number(number) => {
                    format!("{}_{number}_", names::mangled(base))
                }
                _ => names::mangled(name),
            }
        };
        let mut text: Rc<str> = base.as_str().into();
        let mut number = 0;
        while self.is_taken(&text) || RELIED_ON.contains(&&*text) {
            text = format!("{base}{number}").into();
            number += 1;
        }
        self.taken.insert(text.clone());
        self.taking.push(text.clone());
        text
    }

    /// Takes a Lua name for a value in between.
    pub(crate) fn take_made(&mut self, base: &str) -> Rc<str> {
        self.made += 1;
        let name = format!("{base}_{}_", self.made);
        self.take(&name)
    }

    /// A symbol's name that nothing else has.
    pub(crate) fn gensym(&mut self, base: &str) -> Rc<str> {
        self.made += 1;
        // What is made from a made name is another one.
        let base = base.split(MADE).next().unwrap_or_default();
        format!("{base}{MADE}{}", self.made).into()
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a macro may give a symbol of this name: a `~` stands only where [`Scopes::gensym`] puts
/// it, or in the operator.
pub(crate) fn is_symbol_name(name: &str) -> bool {
    let is_made = |part: &str| part.split_once(MADE).is_none_or(|(_, number)| is_number(number));
    name == "~=" || name.split(['.', ':']).all(is_made)
}
