//! What one view has to remember: which tables appear how often, which have a number, and how much
//! work was done.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::rc::Rc;

use mlua::{Function, Table, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::LONGEST;
use super::table;

/// Units of work of one view: values looked at and bytes written, each time they are.
const WORK: usize = 32 * LONGEST;

/// Units of work for a pair of a table, which takes as long as many bytes.
const PAIR: usize = 64;

/// One view.
pub(super) struct Session {
    appearances: RefCell<FxHashMap<*const c_void, u32>>,
    /// Whether each table appears only once.
    tree: Cell<bool>,
    numbers: RefCell<FxHashMap<*const c_void, usize>>,
    /// Tables that have a number stay, so that no other one gets their address.
    kept: RefCell<Vec<Table>>,
    work: Cell<usize>,
    /// The function that `__fennelview` gets, once one needed it.
    pub(super) printer: RefCell<Option<Function>>,
    pub(super) visible_cycle: RefCell<Option<Function>>,
}

impl Session {
    /// The view of a value: counts how often each table in it appears.
    pub(super) fn new(root: &Value) -> mlua::Result<Rc<Self>> {
        let session = Session {
            appearances: RefCell::default(),
            tree: Cell::new(false),
            numbers: RefCell::default(),
            kept: RefCell::default(),
            work: Cell::new(WORK),
            printer: RefCell::default(),
            visible_cycle: RefCell::default(),
        };
        let mut appearances = FxHashMap::default();
        let mut open: Vec<Table> = root.as_table().cloned().into_iter().collect();
        while let Some(table) = open.pop() {
            let count = appearances.entry(table.to_pointer()).or_insert(0);
            *count += 1;
            if *count == 1 {
                session.each_table_in(&table, |inner| {
                    open.push(inner);
                    true
                })?;
            }
        }
        session.tree.set(appearances.values().all(|&count| count == 1));
        session.appearances.replace(appearances);
        Ok(Rc::new(session))
    }

    fn each_table_in(
        &self,
        table: &Table,
        mut each: impl FnMut(Table) -> bool,
    ) -> mlua::Result<()> {
        table::each_pair(table, |key, value| {
            self.spend(PAIR)?;
            let mut goes_on = true;
            for part in [key, value] {
                if let Value::Table(inner) = part {
                    goes_on = goes_on && each(inner);
                }
            }
            Ok(goes_on)
        })
    }

    /// Counts work.
    pub(super) fn spend(&self, units: usize) -> mlua::Result<()> {
        match self.work.get().checked_sub(units) {
            Some(left) => {
                self.work.set(left);
                Ok(())
            }
            None => Err(mlua::Error::runtime("the value is too large to be shown")),
        }
    }

    /// The number that a table got when it was shown.
    pub(super) fn number(&self, table: &Table) -> Option<usize> {
        self.numbers.borrow().get(&table.to_pointer()).copied()
    }

    /// Whether a table is to be marked with a number since others refer to it. A table from which
    /// any table is reached in two ways gets one, marked or not.
    pub(super) fn visible_cycle(&self, table: &Table) -> mlua::Result<bool> {
        let at = table.to_pointer();
        let in_tree = self.tree.get() && self.appearances.borrow().contains_key(&at);
        if in_tree || !self.reaches_twice(table)? {
            return Ok(false);
        }
        let mut numbers = self.numbers.borrow_mut();
        let next = numbers.len() + 1;
        numbers.entry(at).or_insert_with(|| {
            self.kept.borrow_mut().push(table.clone());
            next
        });
        Ok(self.appearances.borrow().get(&at).is_some_and(|&count| count > 1))
    }

    fn reaches_twice(&self, table: &Table) -> mlua::Result<bool> {
        let mut reached = FxHashSet::default();
        reached.insert(table.to_pointer());
        let (mut open, mut twice) = (vec![table.clone()], false);
        while let Some(table) = open.pop()
            && !twice
        {
            self.each_table_in(&table, |inner| {
                twice = twice || !reached.insert(inner.to_pointer());
                open.push(inner);
                !twice
            })?;
        }
        Ok(twice)
    }
}
