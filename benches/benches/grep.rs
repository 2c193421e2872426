//! The tool `grep` against the program `rg` on the same tree with the same rules: hidden files
//! searched, ignore files honoured, the first matches by path wanted.
//!
//! The tree is `$FEN_BENCH_TREE`, or else the sources that cargo has downloaded. Without a tree
//! nothing is measured; without `rg` only the tool is.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use criterion::{Criterion, criterion_group, criterion_main};
use fen_contract::api::{Api, EventHandler, Extension, LogLevel, PromptFragment, RegistrationId};
use fen_contract::conversation::Conversation;
use fen_contract::events::Event;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{Contribution, ToolSpec};
use fen_contract::names::Owner;
use fen_contract::tool::ToolCallContext;
use fen_contract::validate::ContractError;
use serde_json::{Value, json};

/// Searches that read the whole tree: a rare word, a regex with alternatives, and one without
/// regard to case.
const SEARCHES: [(&str, &str, bool); 3] = [
    ("rare word", "unlikely_to_be_anywhere_else", false),
    ("regex", r"fn (frobnicate|transmogrify)\w*\(", false),
    ("any case", "dereferenceable_or_nullish", true),
];

/// Takes the one tool that an extension registers.
struct Shelf(Mutex<Option<ToolSpec>>);

impl Api for Shelf {
    fn owner(&self) -> Owner {
        Owner::from("bench")
    }

    fn register(&self, contribution: Contribution) -> Result<RegistrationId, ContractError> {
        if let (Contribution::Tool(spec), Ok(mut shelf)) = (contribution, self.0.lock()) {
            *shelf = Some(spec);
        }
        Ok(RegistrationId(1))
    }

    fn unregister(&self, _id: RegistrationId) -> bool {
        false
    }

    fn on(&self, _event: &str, _handler: EventHandler) -> RegistrationId {
        RegistrationId(1)
    }

    fn emit(&self, _event: Event) -> Result<(), Failure> {
        Ok(())
    }

    fn log(&self, _level: LogLevel, _message: &str) {}

    fn prompt(&self, _fragment: PromptFragment) -> RegistrationId {
        RegistrationId(1)
    }

    fn list(&self, _surface: &str) -> Result<Vec<Value>, Failure> {
        Ok(Vec::new())
    }

    fn snapshots(&self, _owner: Option<String>) -> BoxFuture<'_, Vec<Value>> {
        Box::pin(async { Vec::new() })
    }

    fn conversation(&self) -> Option<Arc<dyn Conversation>> {
        None
    }
}

fn registered(extension: &impl Extension) -> Option<ToolSpec> {
    let shelf = Arc::new(Shelf(Mutex::new(None)));
    extension.register(shelf.clone()).ok()?;
    shelf.0.lock().ok()?.take()
}

fn tree() -> Option<PathBuf> {
    let named = std::env::var_os("FEN_BENCH_TREE").map(PathBuf::from);
    let cargo = || Some(std::env::home_dir()?.join(".cargo/registry/src"));
    named.or_else(cargo).filter(|tree| tree.is_dir())
}

fn rg(tree: &Path, pattern: &str, any_case: bool) -> bool {
    let mut command = Command::new("rg");
    command.args(["--no-config", "--hidden", "--no-require-git", "-g", "!.git", "-n"]);
    if any_case {
        command.arg("-i");
    }
    command.arg("-e").arg(pattern).arg(tree).stdin(Stdio::null()).stdout(Stdio::null());
    command.status().is_ok()
}

fn grep(criterion: &mut Criterion) {
    let Some(tree) = tree() else { return };
    let Some(spec) = registered(&fen_tools::grep::extension()) else { return };
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return;
    };
    let call = ToolCallContext::detached(&tree);
    let mut group = criterion.benchmark_group("grep");
    group.sample_size(20);
    for (name, pattern, any_case) in SEARCHES {
        let arguments = json!({"pattern": pattern, "ignore_case": any_case});
        group.bench_function(format!("{name}/fen"), |bencher| {
            bencher
                .iter(|| black_box(runtime.block_on(spec.tool.execute(arguments.clone(), &call))));
        });
        if rg(&tree, pattern, any_case) {
            group.bench_function(format!("{name}/rg"), |bencher| {
                bencher.iter(|| rg(&tree, pattern, any_case));
            });
        }
    }
    // Many matches, of which the first hundred are wanted.
    let arguments = json!({"pattern": "impl"});
    group.bench_function("common word/fen", |bencher| {
        bencher.iter(|| black_box(runtime.block_on(spec.tool.execute(arguments.clone(), &call))));
    });
    group.finish();
}

criterion_group!(benches, grep);
criterion_main!(benches);
