//! One table of the `api` and the functions in it, granted or not.

use std::rc::Rc;

use mlua::Table;

use super::answer::{Kind, Refusal};
use super::remote::Slots;
use super::{Capability, Surroundings};
use crate::value::{Aliases, aliased};
use crate::vm::{Vm, WeakVm};

/// How a function tells that it may not be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answers {
    /// It gives tables with `ok`.
    Table,
    /// It gives something else, so it raises.
    Value,
}

/// A table of functions behind one capability.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub(super) name: &'static str,
    /// `None` for what everyone may do.
    pub(super) capability: Option<Capability>,
    pub(super) functions: &'static [(&'static str, Answers)],
    pub(super) make: fn(&Vm, &Table, &Rc<Context>) -> mlua::Result<()>,
}

/// What the functions of one VM share.
pub(super) struct Context {
    pub(super) around: Surroundings,
    pub(super) vm: WeakVm,
    /// Spellings of the fields of answers.
    pub(super) fields: Aliases,
    pub(super) process_methods: Aliases,
    pub(super) processes: Slots,
    pub(super) responses: Slots,
}

impl Context {
    pub(super) fn new(vm: &Vm, around: Surroundings) -> Rc<Self> {
        Rc::new(Context {
            around,
            vm: vm.downgrade(),
            fields: Aliases::new(["truncated?"]),
            process_methods: Aliases::new(["read-line", "close-stdin"]),
            processes: Slots::new("processes"),
            responses: Slots::new("responses"),
        })
    }
}

impl Group {
    /// Puts the working functions in.
    pub(super) fn fill(self, vm: &Vm, table: &Table, context: &Rc<Context>) -> mlua::Result<()> {
        (self.make)(vm, table, context)?;
        self.spell(vm, table)
    }

    /// Puts functions in that say what is missing.
    pub(super) fn refuse(self, vm: &Vm, table: &Table, context: &Rc<Context>) -> mlua::Result<()> {
        for (function, answers) in self.functions {
            let refusal = Refusal::new(
                Kind::Capability,
                format!(
                    "extension {}: `api.{group}.{function}` needs the capability `{group}`; add \
                     the line `capabilities: {group}` to the comment at the top of its file, or \
                     `\"capabilities\": [\"{group}\"]` to its manifest",
                    context.around.extension,
                    group = self.name,
                ),
            );
            let answers = *answers;
            let refused = vm.function(move |lua, ()| match answers {
                Answers::Table => Ok(refusal.table(lua)?),
                Answers::Value => Err(refusal.thrown(lua)),
            })?;
            table.raw_set(*function, refused)?;
        }
        self.spell(vm, table)
    }

    fn spell(self, vm: &Vm, table: &Table) -> mlua::Result<()> {
        let aliases = Aliases::new(self.functions.iter().map(|(name, _)| *name));
        aliased(vm.lua(), table.clone(), &aliases).map(drop)
    }
}
