//! A script thread without I/O beside a runtime that has it, as in the program.

use std::path::Path;
use std::time::{Duration, Instant};

use fen_contract::cancel::CancelToken;
use fen_contract::secret::CredentialVariables;
use fen_script::capability::{Grants, Surroundings, install};
use fen_script::language::Lua;
use fen_script::mlua::Value;
use fen_script::thread::ScriptThread;
use fen_script::value::{ToJson, json_table, to_json};
use fen_script::vm::{CallError, CallLimits, Vm, VmConfig};
use fen_testing::TempProject;
use fen_transport::http::{Client, Config};
use serde_json::Value as Json;
use tokio::runtime::Runtime;

/// Far more than anything here takes that does not hang.
pub const SOON: Duration = Duration::from_secs(20);

/// Everything that a script needs around it.
pub struct World {
    pub project: TempProject,
    pub grants: Grants,
    pub around: Surroundings,
    pub runtime: Runtime,
    thread: ScriptThread,
}

pub fn world() -> World {
    let project = TempProject::new();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let around = Surroundings {
        extension: "test".to_owned(),
        cwd: project.root().to_path_buf(),
        folder: None,
        closed: Vec::new(),
        credentials: CredentialVariables::default(),
        http: Some(Client::new(Config::default())),
        runtime: runtime.handle().clone(),
    };
    let thread = ScriptThread::start("fen-script", || ()).unwrap();
    World { project, grants: Grants::all(), around, runtime, thread }
}

impl World {
    /// Runs a source to its end and gives what it returns.
    pub fn run(&self, source: &str) -> Result<Json, CallError> {
        self.begin(source, CancelToken::new())()
    }

    pub fn ok(&self, source: &str) -> Json {
        self.run(source).unwrap_or_else(|error| panic!("{error}\n{source}"))
    }

    pub fn fails(&self, source: &str) -> CallError {
        self.run(source).err().unwrap_or_else(|| panic!("no error: {source}"))
    }

    /// Begins to run a source; what is given back waits for the end. The VM goes with the call.
    pub fn begin(
        &self,
        source: &str,
        token: CancelToken,
    ) -> impl FnOnce() -> Result<Json, CallError> + use<> {
        let (grants, around, source) = (self.grants, self.around.clone(), source.to_owned());
        let answer = self.thread.run(move |_| async move {
            let vm = Vm::new(VmConfig::new("test"))?;
            let api = vm.lua().create_table().unwrap();
            install(&vm, &api, &grants, &around).unwrap();
            vm.set_global("api", api).unwrap();
            vm.set_global("json", json_table(&vm).unwrap()).unwrap();
            let function = vm.load_source(&Lua, &source, "test.lua")?;
            let limits =
                CallLimits { running: Duration::from_secs(5), grace: Duration::from_millis(100) };
            let value: Value = vm.call_async(&function, (), limits, token).await?;
            Ok(to_json(&value, &ToJson::default()).unwrap())
        });
        move || {
            // Not the world's own, which a test may end.
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
            let answer = async { tokio::time::timeout(SOON, answer).await };
            runtime.unwrap().block_on(answer).expect("the script hangs").unwrap()
        }
    }

    /// Ends the script thread as a program that ends does: running calls are dropped.
    pub fn end_thread(self) -> (TempProject, Runtime) {
        self.thread.shutdown(SOON);
        (self.project, self.runtime)
    }
}

/// Waits until something is so.
pub fn until(what: &str, check: impl Fn() -> bool) {
    let began = Instant::now();
    while !check() {
        assert!(began.elapsed() < SOON, "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// How many processes have this word in their command line.
pub fn processes_with(word: &str) -> usize {
    let all = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    all.filter(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(word) && is_process(&entry.path())
    })
    .count()
}

fn is_process(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().chars().all(|c| c.is_ascii_digit()))
}
