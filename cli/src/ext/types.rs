//! `fen ext types`: what scripts can do, for editors.

use crate::exit;
use fen_contract::failure::Failure;
use std::path::Path;
use std::process::ExitCode;

const FILE: &str = "fen.lua";

/// Prints the types, or puts them into a folder.
pub fn types(folder: Option<&Path>) -> Result<ExitCode, Failure> {
    let text = fen_script::stubs::luacats();
    let Some(folder) = folder else { return Ok(exit::print(&text)) };
    let failed = |path: &Path, error: std::io::Error| {
        Failure::new(format!("{} cannot be written: {error}", path.display()))
    };
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let file = folder.join(FILE);
    std::fs::write(&file, text).map_err(|error| failed(&file, error))?;
    let settings = folder.join(".luarc.json");
    let said = match std::fs::exists(&settings) {
        // It is the person's; what belongs into it can be said.
        Ok(true) => format!(
            "{} is there already; its `workspace.library` needs \"{FILE}\"",
            settings.display()
        ),
        _ => {
            let text = serde_json::json!({
                "runtime.version": "Lua 5.4",
                "workspace.library": [FILE],
            });
            std::fs::write(&settings, format!("{text:#}\n"))
                .map_err(|error| failed(&settings, error))?;
            format!("wrote {}", settings.display())
        }
    };
    Ok(exit::print(&format!("wrote {}\n{said}\n", file.display())))
}
