//! Compiles what the person types and runs it, form by form.

use super::super::modules::Folders;
use super::super::sources::Source;
use crate::exit;
use crate::own_code::{once, write_line};
use crate::subcommands::Looking;
use fen_contract::failure::Failure;
use fen_script::host::Session;
use fen_script::language::{Chunk, SourceMap};
use fennel::{Diagnostic, Options, Output};
use std::path::PathBuf;
use std::rc::Rc;

/// The entry of the program that the VM is made for; nothing is in it.
const ENTRY: &str = "repl.fnl";

/// Makes `fennel` a global, as `api` is one.
const PREPARE: &str = "fennel = require('fennel')";

/// See the module.
pub struct Evaluation {
    session: Session,
    compiler: fennel::Session,
    /// How many pieces there were: each has a name of its own.
    pieces: usize,
}

impl Evaluation {
    /// Begins with nothing defined.
    pub async fn begin(looking: &Looking) -> Result<Self, Failure> {
        let nothing = once(looking, PathBuf::from("-"), ENTRY.into(), String::new(), Vec::new());
        let session = looking.scripts.host().session(nothing).await?;
        let prepare = Chunk { lua: PREPARE.into(), map: SourceMap::Identity };
        session.run(prepare, "repl".to_owned()).await?;
        let compiler = fennel::Session::new(Options {
            globals: Some(session.globals().await?.into()),
            modules: Rc::new(Folders::of(&Source::Stdin, Rc::default())),
            print: Rc::new(write_line),
            metadata: true,
            ..Options::default()
        });
        Ok(Evaluation { session, compiler, pieces: 0 })
    }

    /// Runs each form of a text, and prints its values or what is wrong with it. After a mistake the
    /// rest is left.
    pub async fn each(&mut self, text: &str) {
        let parsed = fennel::parse(&self.next_name(), text);
        if !parsed.diagnostics.is_empty() {
            return tell(&parsed.diagnostics);
        }
        for form in parsed.forms {
            let (start, end) = (form.span.start as usize, form.span.end as usize);
            // Blanks in place of the forms before keep lines and columns as they were typed.
            let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
            let before: String = text[..start].chars().map(blank).collect();
            let piece = format!("{before}{}", &text[start..end]);
            match self.run(&piece).await {
                Some(values) if values.is_empty() => {}
                Some(values) => write_line(&values.join("\t")),
                None => return,
            }
        }
    }

    /// Prints a form as Lua; it does not run, and binds nothing.
    pub fn show_lua(&mut self, form: &str) {
        if form.trim().is_empty() {
            return exit::note(",compile takes a form, such as (+ 1 2)");
        }
        let name = self.next_name();
        let parsed = fennel::parse(&name, form);
        if !parsed.diagnostics.is_empty() {
            return tell(&parsed.diagnostics);
        }
        match self.compiler.compile(&name, &format!("(do {form}\n)")) {
            Ok(output) => write_line(output.lua.trim_end()),
            Err(found) => tell(&found),
        }
    }

    /// Prints what a function says about itself.
    pub async fn show_doc(&mut self, name: &str) {
        let name = name.trim();
        let parsed = fennel::parse("name", name);
        let is_name = parsed.diagnostics.is_empty()
            && matches!(parsed.forms.as_slice(), [only] if only.as_symbol().is_some());
        if !is_name {
            return exit::note(",doc takes the name of a function");
        }
        let piece = format!("(print ((. (require :fennel) :doc) {name} {name:?}))");
        let piece_name = self.next_name();
        match self.compiler.compile(&piece_name, &piece) {
            Ok(output) => drop(self.given(output, piece_name).await),
            // The piece around the name is not the person's.
            Err(found) => found.iter().for_each(|one| exit::note_strict(&one.message)),
        }
    }

    /// The values of a piece; `None` if it was wrong, which is told.
    async fn run(&mut self, piece: &str) -> Option<Vec<String>> {
        let name = self.next_name();
        match self.compiler.compile(&name, piece) {
            Ok(output) => self.given(output, name).await,
            Err(found) => {
                tell(&found);
                None
            }
        }
    }

    /// The values of compiled code; `None` if it failed, which is told.
    async fn given(&self, output: Output, name: String) -> Option<Vec<String>> {
        let Output { lua, map, .. } = output;
        let chunk = Chunk { lua: lua.into(), map: SourceMap::Lines(map) };
        match self.session.run(chunk, name).await {
            Ok(values) => Some(values),
            Err(failure) => {
                exit::note_strict(&failure.message);
                None
            }
        }
    }

    fn next_name(&mut self) -> String {
        self.pieces += 1;
        format!("input-{}", self.pieces)
    }
}

fn tell(found: &[Diagnostic]) {
    found.iter().for_each(|one| exit::note_strict(&one.rendered()));
}
