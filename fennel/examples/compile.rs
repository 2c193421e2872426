//! Compiles a file of Fennel and prints the Lua: `cargo run -p fennel-lang --example compile FILE`.
//! Macro modules and included files are looked for beside the file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

use fennel::{ModuleText, Modules, Options, Wanted, compile, decode};

/// The files of one folder.
struct Folder(PathBuf);

impl Modules for Folder {
    fn find(&self, name: &str, wanted: Wanted) -> Result<Option<ModuleText>, String> {
        for suffix in wanted.endings() {
            let path = self.0.join(format!("{}{suffix}", name.replace('.', "/")));
            if path.is_file() {
                let text = std::fs::read_to_string(&path);
                let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
                let file = path.display().to_string();
                return Ok(Some(ModuleText { file, text: Arc::from(text) }));
            }
        }
        Ok(None)
    }
}

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("usage: compile FILE");
        return ExitCode::from(2);
    };
    let bytes = match std::fs::read(&file) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let folder = Path::new(&file).parent().unwrap_or(Path::new("."));
    let options = Options { modules: Rc::new(Folder(folder.to_owned())), ..Options::default() };
    let compiled = match decode(&file, &bytes) {
        Ok(text) => compile(&file, text, &options),
        Err(found) => Err(vec![found]),
    };
    match compiled {
        Ok(output) => {
            print!("{}", output.lua);
            ExitCode::SUCCESS
        }
        Err(found) => {
            found.iter().for_each(|one| eprintln!("{}", one.rendered()));
            ExitCode::FAILURE
        }
    }
}
