//! Compiles what the person types and runs it, form by form.

use super::super::modules::Folders;
use super::super::sources::Source;
use crate::exit;
use crate::own_code::{Code, once, write_line};
use crate::subcommands::Looking;
use fen_contract::failure::Failure;
use fen_script::host::Session;
use fen_script::language::{Chunk, SourceMap};
use fennel::{Diagnostic, Options, Output};
use std::rc::Rc;

/// The entry of the program that the VM is made for; nothing is in it.
const ENTRY: &str = "repl.fnl";

/// Makes `fennel` a global, as `api` is one.
const PREPARE: &str = "fennel = require('fennel')";

/// See the module.
pub struct Evaluation {
    session: Session,
    compiler: fennel::Session,
    options: Options,
    /// The pieces that the compiler has taken, by their names.
    compiled: Vec<(String, String)>,
    /// How many pieces there were: each has a name of its own.
    pieces: usize,
}

impl Evaluation {
    /// Begins with nothing defined.
    pub async fn begin(looking: &Looking) -> Result<Self, Failure> {
        let nothing = once(looking, Code::alone(ENTRY.into(), String::new()), Vec::new());
        let session = looking.scripts.host().session(nothing).await?;
        let prepare = Chunk { lua: PREPARE.into(), map: SourceMap::Identity };
        session.run(prepare, "repl".to_owned()).await?;
        let options = Options {
            globals: Some(session.globals().await?.into()),
            modules: Rc::new(Folders::of(&Source::Stdin, Rc::default())),
            print: Rc::new(write_line),
            metadata: true,
            ..Options::default()
        };
        let compiler = fennel::Session::new(options.clone());
        Ok(Evaluation { session, compiler, options, compiled: Vec::new(), pieces: 0 })
    }

    /// Runs each form of a text, and prints its values or what is wrong with it. After a mistake the
    /// rest is left.
    pub async fn each(&mut self, text: &str) {
        let parsed = fennel::parse(&self.next_name(), text);
        if !parsed.diagnostics.is_empty() {
            return tell(&parsed.diagnostics);
        }
        let (mut lines, mut line_start, mut seen) = (0, 0, 0);
        for form in parsed.forms {
            let (start, end) = (form.span.start as usize, form.span.end as usize);
            for (at, _) in text[seen..start].match_indices('\n') {
                lines += 1;
                line_start = seen + at + 1;
            }
            seen = start;
            let piece = Piece {
                // Line breaks in place of what was before keep the lines as they were typed.
                text: format!("{}{}", "\n".repeat(lines), &text[start..end]),
                line: u32::try_from(lines + 1).unwrap_or(u32::MAX),
                indent: u32::try_from(text[line_start..start].chars().count()).unwrap_or(0),
            };
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
        // In a compiler of its own, which knows the same: what the form binds is gone with it.
        let quiet = Options { print: Rc::new(|_| {}), ..self.options.clone() };
        let mut aside = fennel::Session::new(quiet);
        for (name, text) in &self.compiled {
            // It did compile, so it does.
            drop(aside.compile(name, text));
        }
        match aside.compile(&name, &format!("(do {form}\n)")) {
            Ok(output) => write_line(output.lua.trim_end()),
            Err(found) => tell(&found),
        }
    }

    /// Prints what a function says about itself.
    pub async fn show_doc(&mut self, name: &str) {
        let parsed = fennel::parse("name", name);
        let symbol = match parsed.forms.as_slice() {
            [only] if parsed.diagnostics.is_empty() => only.as_symbol(),
            _ => None,
        };
        let Some(symbol) = symbol else {
            return exit::note(",doc takes the name of a function");
        };
        let piece = format!("(print ((. (require :fennel) :doc) {symbol} {symbol:?}))");
        let name = self.next_name();
        match self.compiler.compile(&name, &piece) {
            Ok(output) => {
                self.compiled.push((name.clone(), piece));
                drop(self.given(output, name).await);
            }
            // The piece around the name is not the person's.
            Err(found) => found.iter().for_each(|one| exit::note_strict(&one.message)),
        }
    }

    /// The values of a piece; `None` if it was wrong, which is told.
    async fn run(&mut self, piece: &Piece) -> Option<Vec<String>> {
        let name = self.next_name();
        match self.compiler.compile(&name, &piece.text) {
            Ok(output) => {
                self.compiled.push((name.clone(), piece.text.clone()));
                self.given(output, name).await
            }
            Err(mut found) => {
                found.iter_mut().for_each(|one| piece.put_in_place(&name, one));
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

/// A form of a text.
struct Piece {
    /// The form, on its own line.
    text: String,
    /// The line where it begins, from 1.
    line: u32,
    /// How many characters are before it on that line.
    indent: u32,
}

impl Piece {
    /// Gives a finding the column that was typed.
    fn put_in_place(&self, name: &str, found: &mut Diagnostic) {
        if &*found.file == name && found.line == self.line {
            found.column += self.indent;
            found.source_column += self.indent;
        }
    }
}

fn tell(found: &[Diagnostic]) {
    found.iter().for_each(|one| exit::note_strict(&one.rendered()));
}
