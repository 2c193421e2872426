//! A kernel with a mock model and a host, an example loaded from its files, and a screen to use it.

use fen_contract::api::Source;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{Contribution, Kind};
use fen_core::settings::Settings;
use fen_core::{Kernel, RunSetup};
use fen_provider_mock::{Script, Turn};
use fen_script::check::check;
use fen_script::host::{Around, Console, Host, Program};
use fen_script::language::Diagnostic;
use fen_script::package::Package;
use fen_testing::TempProject;
use fen_testing::presenter::{Screen, ScreenHandle};
use fen_transport::http;
use fen_transport::retry::Policy;
use fennel::FormatOptions;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Far beyond every need: reaching it means that something hangs.
const HANG: Duration = Duration::from_secs(60);

/// What was written to the terminal, and what a person types there.
#[derive(Default)]
pub struct Terminal {
    pub written: Mutex<String>,
    pub lines: Mutex<Vec<String>>,
}

impl Console for Terminal {
    fn write(&self, text: String) -> BoxFuture<'_, Result<(), Failure>> {
        self.written.lock().unwrap().push_str(&text);
        Box::pin(std::future::ready(Ok(())))
    }

    fn read_line(&self, prompt: String) -> BoxFuture<'_, Result<Option<String>, Failure>> {
        self.written.lock().unwrap().push_str(&prompt);
        let mut lines = self.lines.lock().unwrap();
        let line = (!lines.is_empty()).then(|| lines.remove(0));
        Box::pin(std::future::ready(Ok(line)))
    }

    fn note(&self, line: &str) {
        self.written.lock().unwrap().push_str(&format!("{line}\n"));
    }
}

/// A project with a kernel in it.
pub struct World {
    pub kernel: Kernel,
    pub host: Host,
    pub terminal: Arc<Terminal>,
    pub project: TempProject,
    events: Arc<Mutex<Vec<Value>>>,
}

/// The repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A language in which examples are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    Lua,
    Fennel,
}

impl Language {
    pub const BOTH: [Language; 2] = [Language::Lua, Language::Fennel];

    /// The suffix of its files.
    pub fn suffix(self) -> &'static str {
        match self {
            Language::Lua => "lua",
            Language::Fennel => "fnl",
        }
    }

    /// The file that a folder in it begins with.
    pub fn entry(self) -> String {
        format!("init.{}", self.suffix())
    }

    /// The file or folder of an example, by its path below `examples/` without what tells the
    /// language.
    pub fn example(self, path: &str) -> PathBuf {
        let path = repository().join("examples").join(path).into_os_string().into_string().unwrap();
        let file = PathBuf::from(format!("{path}.{}", self.suffix()));
        match self {
            _ if file.is_file() => file,
            Language::Lua => path.into(),
            Language::Fennel => format!("{path}-fennel").into(),
        }
    }
}

/// Makes tests of functions that hold an example to its promises, one for each language.
macro_rules! in_each_language {
    ($($name:ident)*) => {
        $(mod $name {
            #[tokio::test]
            async fn in_lua() {
                super::$name(crate::kit::Language::Lua).await;
            }

            #[tokio::test]
            async fn in_fennel() {
                super::$name(crate::kit::Language::Fennel).await;
            }
        })*
    };
}
pub(crate) use in_each_language;

/// Fails unless nothing can be said against the text of an extension: no mistake, no local that
/// nothing reads, and Fennel laid out as `fen fennel fmt` lays it out.
fn assert_exemplary(program: &Arc<Program>) {
    let found: Vec<String> = check(program).iter().map(Diagnostic::rendered).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    for (file, text) in &program.files {
        if file.ends_with(".fnl") || file.ends_with(".fnlm") {
            let laid_out = fennel::format(file, text, FormatOptions::default()).unwrap();
            assert_eq!(**text, laid_out, "{file} is not laid out");
        }
    }
}

impl World {
    /// A world whose model gives these answers, then echoes.
    pub fn answering(turns: Vec<Turn>) -> World {
        World::with_settings(turns, "{}")
    }

    pub fn with_settings(turns: Vec<Turn>, settings: &str) -> World {
        let kernel = Kernel::new();
        kernel.set_settings(&Settings::parse(settings).unwrap());
        let events = Arc::new(Mutex::new(Vec::new()));
        let heard = events.clone();
        kernel.api().on(
            "*",
            Arc::new(move |event| {
                heard.lock().unwrap().push(serde_json::to_value(&**event).unwrap());
                Ok(())
            }),
        );
        let script = Script::answer(move |request| {
            let turn = turns.get(request.number).cloned();
            turn.unwrap_or_else(|| Turn::text(request.last_text()))
        });
        kernel.load(&fen_provider_mock::extension(script), Source::Bundled).unwrap();
        let terminal = Arc::new(Terminal::default());
        let project = TempProject::new();
        let around = Around {
            runtime: tokio::runtime::Handle::current(),
            cwd: project.path(""),
            closed: Vec::new(),
            credentials: Default::default(),
            http: Some(http::Client::new(http::Config::default())),
            console: terminal.clone(),
            settings: None,
            error_log: None,
        };
        let host = Host::new(kernel.clone(), around);
        World { kernel, host, terminal, project, events }
    }

    /// Loads an extension from where it lies, with what its manifest asks for.
    pub async fn load(&self, place: &Path) {
        let package = Package::read(place, Source::Explicit, &["lua", "fnl"])
            .unwrap_or_else(|error| panic!("{}: {error}", place.display()));
        assert_eq!(package.manifest().warnings, [], "{}", place.display());
        let program = Arc::new(Program::from(&package));
        assert_exemplary(&program);
        let loaded = self.host.load(Program::from(&package)).await;
        loaded.unwrap_or_else(|failure| panic!("{}: {failure}", place.display()));
    }

    /// Loads an example, as [`Language::example`] calls it.
    pub async fn load_example(&self, language: Language, path: &str) {
        self.load(&language.example(path)).await;
    }

    /// Loads code that a test brings, as an extension of this name.
    pub async fn load_text(&self, language: Language, name: &str, text: &str) {
        let file = format!("{name}.{}", language.suffix());
        let place = TempProject::new().file(&file, text);
        self.load(&place.path(&file)).await;
    }

    /// Loads tools that only say what they were called with.
    pub async fn load_stand_ins(&self, names: &[&str]) {
        for name in names {
            let text = format!(
                r#"return function(api)
                  api.register("tool", {{
                    name = "{name}", description = "stands in", parameters = {{ type = "object" }},
                    execute = function(args) return "ran with " .. api.json.encode(args) end,
                  }})
                end"#
            );
            self.load_text(Language::Lua, &format!("stand-in-{name}"), &text).await;
        }
    }

    pub fn setup(&self) -> RunSetup {
        RunSetup {
            retry: Policy { max_attempts: 1, ..Policy::default() },
            ..RunSetup::new("screen", "mock", "m", self.project.path(""))
        }
    }

    /// Runs a conversation on a screen until the closure is done with it.
    pub async fn on_screen<R: Future<Output = ()>>(&self, drive: impl FnOnce(ScreenHandle) -> R) {
        self.on_screen_with(self.setup(), drive).await;
    }

    pub async fn on_screen_with<R: Future<Output = ()>>(
        &self,
        setup: RunSetup,
        drive: impl FnOnce(ScreenHandle) -> R,
    ) {
        let (extension, screen) = Screen::new();
        self.kernel.load(&extension, Source::Bundled).unwrap();
        let run = async {
            let (outcome, ()) = tokio::join!(self.kernel.run(setup), async {
                drive(screen.clone()).await;
                screen.quit();
            });
            assert_eq!(outcome.failure, None);
        };
        tokio::time::timeout(HANG, run).await.expect("the run does not end");
        self.kernel.unload(&"screen".into());
        self.settle().await;
    }

    /// Says one thing and waits for the end of its turn.
    pub async fn prompt(&self, text: &str) {
        self.on_screen(|screen| async move {
            screen.say(text).await;
            screen.wait_idle().await;
        })
        .await;
    }

    /// Waits until scripts have handled all events.
    pub async fn settle(&self) {
        assert!(self.host.settle(HANG).await, "scripts go on for ever");
    }

    /// The events of a name that were told so far.
    pub fn told(&self, name: &str) -> Vec<Value> {
        let events = self.events.lock().unwrap();
        events.iter().filter(|event| event["type"] == name).cloned().collect()
    }

    /// The texts of the tool results so far, with `!` before those of errors.
    pub fn results(&self) -> Vec<String> {
        let words = |event: &Value| {
            let result = &event["result"];
            let mark = if result["is-error?"] == true { "!" } else { "" };
            format!("{mark}{}", result["content"][0]["text"].as_str().unwrap())
        };
        self.told("tool-result").iter().map(words).collect()
    }

    /// The texts of all `info` events so far.
    pub fn infos(&self) -> Vec<String> {
        let text = |event: &Value| event["info"].as_str().unwrap_or_default().to_owned();
        self.told("info").iter().map(text).collect()
    }

    /// Fails unless no extension has failed so far.
    pub fn assert_no_errors(&self) {
        assert_eq!(self.told("extension-error"), Vec::<Value>::new());
    }

    /// What is registered under a kind and a name.
    pub fn contribution(&self, kind: Kind, name: &str) -> Contribution {
        let registry = self.kernel.registry();
        let entry = registry.find(kind, name);
        entry.unwrap_or_else(|| panic!("there is no {kind} `{name}`")).contribution.clone()
    }
}
