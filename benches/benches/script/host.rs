//! The whole host: loading, events, tool calls, reloads, and what scripts cost the kernel's thread.

#![allow(clippy::unwrap_used, reason = "a measurement that fails may say so and stop")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use criterion::Criterion;
use fen_contract::api::{Api, Extension, Manifest, Source};
use fen_contract::cancel::CancelToken;
use fen_contract::conversation::WhenBusy;
use fen_contract::events::{Event, TextDelta};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{Contribution, Kind, PresenterSpec, ProviderSpec};
use fen_contract::names::{Count, ModelId};
use fen_contract::presenter::{Presenter, PresenterContext};
use fen_contract::provider::{CallOptions, Provider, StreamSink};
use fen_contract::tool::ToolCallContext;
use fen_contract::types::{AgentContext, AssistantMessage, Message, StopReason, Tool};
use fen_core::{Kernel, RunSetup};
use fen_script::host::{Around, Console, Host, Program};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// A terminal that nobody looks at.
struct Nowhere;

impl Console for Nowhere {
    fn write(&self, _: String) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn read_line(&self, _: String) -> BoxFuture<'_, Result<Option<String>, Failure>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    fn note(&self, _: &str) {}
}

struct World {
    runtime: Runtime,
    kernel: Kernel,
    host: Host,
}

impl World {
    fn new() -> World {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let kernel = Kernel::new();
        let around = Around {
            runtime: runtime.handle().clone(),
            cwd: "/".into(),
            closed: Vec::new(),
            credentials: Default::default(),
            http: None,
            console: Arc::new(Nowhere),
            settings: None,
            error_log: None,
        };
        let host = Host::new(kernel.clone(), around);
        World { runtime, kernel, host }
    }

    fn load(&self, name: &str, source: &str) -> fen_script::host::Loaded {
        self.runtime.block_on(self.host.load(program(name, source))).unwrap()
    }
}

fn program(name: &str, source: &str) -> Program {
    let file = format!("{name}.lua");
    Program {
        manifest: Manifest { name: name.to_owned(), ..Manifest::default() },
        source: Source::User,
        place: PathBuf::from(format!("/extensions/{file}")),
        entry: file.clone(),
        files: BTreeMap::from([(file, source.into())]),
        granted: Default::default(),
        has_hooks: false,
    }
}

const EMPTY: &str = "return function(api) end";

fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0) * 4096
}

pub fn loading(criterion: &mut Criterion) {
    let world = World::new();
    assert!(!world.host.has_started());
    let began = Instant::now();
    let first = world.load("first", EMPTY);
    println!(
        "host/the first extension took {:?}, the thread's start included; {:?} in its VM, {} bytes",
        began.elapsed(),
        first.time,
        first.memory
    );
    const MANY: usize = 500;
    let before = resident();
    for n in 0..MANY {
        world.load(&format!("many{n}"), EMPTY);
    }
    println!("host/an empty extension holds {} bytes of the process", (resident() - before) / MANY);
    criterion.bench_function("host/load an empty extension", |bench| {
        let world = World::new();
        world.load("other", EMPTY);
        bench.iter_custom(|rounds| {
            let mut took = Duration::ZERO;
            for _ in 0..rounds {
                let began = Instant::now();
                world.load("empty", EMPTY);
                took += began.elapsed();
                world.host.unload("empty");
            }
            took
        });
    });
    let source = contributions();
    criterion.bench_function("host/reload 20 extensions of 5 contributions", |bench| {
        let world = World::new();
        let programs: Vec<Program> = (0..20)
            .map(|n| program(&format!("ext{n}"), &source.replace("NUMBER", &n.to_string())))
            .collect();
        let load_all = || {
            for program in &programs {
                world.runtime.block_on(world.host.load(program.clone())).unwrap();
            }
        };
        load_all();
        bench.iter(load_all);
    });
}

/// Five contributions in about two kilobytes.
fn contributions() -> String {
    let mut source = String::from(
        "return function(api)\n\
           api.register('tool', { name = 'toolNUMBER', description = 'd', parameters = { type = 'object', properties = { text = { type = 'string' } } },\n\
             execute = function(args) return args.text end })\n\
           api.register('command', { name = 'commandNUMBER', description = 'd', handler = function() end })\n\
           api.register('status', { name = 'statusNUMBER', render = function() return 'x' end })\n\
           api.register('introspect', { name = 'introspectNUMBER', snapshot = function() return {} end })\n\
           api.on('user', function(event) return event.line end)\n",
    );
    let mut n = 0;
    while source.len() < 2_000 {
        n += 1;
        source.push_str(&format!(
            "  local function helper{n}(a, b) return (a or 0) + (b or 0) * {n} end\n"
        ));
    }
    source + "end"
}

fn info(text: &str) -> Event {
    serde_json::from_value(json!({"type": "info", "info": text})).unwrap()
}

pub fn events(criterion: &mut Criterion) {
    let world = World::new();
    world.load(
        "ears",
        "return function(api)\n\
           api.on('info', function(e) if e.info == 'last' then api.emit({ type = 'ears/done' }) end end)\n\
         end",
    );
    let api = world.kernel.api();
    let (done, is_done) = mpsc::channel();
    api.on(
        "ears/done",
        Arc::new(move |_| {
            let _ = done.send(());
            Ok(())
        }),
    );
    const BURST: u64 = 2_000;
    criterion.bench_function("host/an event to one handler, of bursts", |bench| {
        bench.iter_custom(|rounds| {
            let mut took = Duration::ZERO;
            let mut left = rounds;
            while left > 0 {
                let now = left.min(BURST);
                let burst: Vec<Event> = (1..=now)
                    .map(|n| info(if n == now { "last" } else { "not the last one" }))
                    .collect();
                let began = Instant::now();
                for event in burst {
                    api.emit(event).unwrap();
                }
                is_done.recv().unwrap();
                took += began.elapsed();
                left -= now;
            }
            took
        });
    });
    criterion.bench_function(
        "host/one event to one handler and its answer to the kernel",
        |bench| {
            bench.iter(|| {
                api.emit(info("last")).unwrap();
                is_done.recv().unwrap();
            });
        },
    );
}

pub fn calls(criterion: &mut Criterion) {
    let world = World::new();
    world.load(
        "words",
        "return function(api)\n\
           api.register('tool', { name = 'words', description = 'd', parameters = { type = 'object' },\n\
             execute = function(args) return args.text end })\n\
         end",
    );
    let registry = world.kernel.registry();
    let Contribution::Tool(spec) = &registry.find(Kind::Tool, "words").unwrap().contribution else {
        unreachable!("the kind was asked for")
    };
    let context = ToolCallContext::detached("/");
    let call = || {
        let result = spec.tool.execute(json!({"text": "one two three"}), &context);
        black_box(world.runtime.block_on(result))
    };
    let mut times: Vec<Duration> = (0..5_000)
        .map(|_| {
            let began = Instant::now();
            call();
            began.elapsed()
        })
        .collect();
    times.sort();
    println!(
        "host/a tool call and back: p50 {:?}, p99 {:?}",
        times[times.len() / 2],
        times[times.len() / 100 * 99]
    );
    criterion.bench_function("host/a tool call and back", |bench| bench.iter(call));
}

const DELTAS: usize = 1_000;

/// Streams deltas and measures how long the kernel's thread takes to tell them.
#[derive(Default)]
struct Streams {
    nanos: AtomicU64,
}

impl Provider for Streams {
    fn convert_messages(&self, _: &[Message]) -> Vec<Value> {
        Vec::new()
    }

    fn convert_tools(&self, _: &[Tool]) -> Vec<Value> {
        Vec::new()
    }

    fn map_stop_reason(&self, _: &str) -> StopReason {
        StopReason::Stop
    }

    fn parse_response(&self, _: &Value) -> AssistantMessage {
        serde_json::from_value(
            json!({"role": "assistant", "content": [], "stop-reason": "stop", "timestamp": 1}),
        )
        .unwrap()
    }

    fn build_body(
        &self,
        _: &ModelId,
        _: &AgentContext,
        _: &CallOptions,
    ) -> Result<Box<serde_json::value::RawValue>, Failure> {
        Err(Failure::new("there is no body"))
    }

    fn complete<'a>(
        &'a self,
        _: &'a ModelId,
        _: &'a AgentContext,
        _: &'a CallOptions,
        sink: &'a dyn StreamSink,
        _: &'a CancelToken,
    ) -> BoxFuture<'a, AssistantMessage> {
        Box::pin(async move {
            let delta = |_| {
                Event::TextDelta(TextDelta {
                    content_index: Count(1),
                    delta: " token".to_owned(),
                    extra: Default::default(),
                })
            };
            let deltas: Vec<Event> = (0..DELTAS).map(delta).collect();
            let began = Instant::now();
            for delta in deltas {
                sink.emit(delta);
            }
            let nanos = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
            self.nanos.fetch_add(nanos, Ordering::Relaxed);
            self.parse_response(&Value::Null)
        })
    }
}

struct Driver {
    streams: Arc<Streams>,
    turns: AtomicUsize,
}

struct Bench(Arc<Driver>);

impl Extension for Bench {
    fn manifest(&self) -> Manifest {
        Manifest { name: "bench".to_owned(), ..Manifest::default() }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        let presenter = self.0.clone();
        api.register(PresenterSpec { name: "bench".to_owned(), one_shot: None, presenter }.into())?;
        api.register(
            ProviderSpec {
                api: "bench".to_owned(),
                name: "bench".to_owned(),
                auth: None,
                base_url: None,
                default_model: None,
                models: None,
                setup: None,
                provider: self.0.streams.clone(),
            }
            .into(),
        )?;
        Ok(())
    }
}

impl Presenter for Driver {
    fn run<'a>(&'a self, context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            for _ in 0..self.turns.load(Ordering::Relaxed) {
                context.conversation.submit_prompt("go".to_owned(), WhenBusy::Reject);
                while let Some(event) = context.events.next_event().await {
                    if matches!(&*event, Event::AgentTurnComplete(_)) {
                        break;
                    }
                }
                // Scripts catch up between turns, as they do while a person reads.
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            Ok(())
        })
    }
}

/// How long the kernel's thread takes for one of so many streams.
fn streamed(handlers: usize, turns: usize) -> Duration {
    let world = World::new();
    for n in 0..handlers {
        world.load(
            &format!("star{n}"),
            "return function(api) api.on('*', function(e) return e.delta end) end",
        );
    }
    let streams = Arc::new(Streams::default());
    let driver = Arc::new(Driver { streams: streams.clone(), turns: AtomicUsize::new(turns) });
    world.kernel.load(&Bench(driver), Source::Bundled).unwrap();
    let outcome =
        world.runtime.block_on(world.kernel.run(RunSetup::new("bench", "bench", "m", "/")));
    assert_eq!(outcome.failure, None);
    assert_eq!(outcome.last_turn, Some(fen_contract::events::TurnStatus::Ok));
    Duration::from_nanos(streams.nanos.load(Ordering::Relaxed)) / u32::try_from(turns).unwrap_or(1)
}

pub fn streaming(criterion: &mut Criterion) {
    let mut costs = Vec::new();
    for handlers in [0, 1, 5] {
        let name = format!("host/1,000 deltas on the kernel's thread, {handlers} handlers of *");
        let mut last = Duration::ZERO;
        criterion.bench_function(&name, |bench| {
            bench.iter_custom(|rounds| {
                last = streamed(handlers, usize::try_from(rounds).unwrap_or(1));
                last * u32::try_from(rounds).unwrap_or(1)
            });
        });
        costs.push(last);
    }
    // Each delta is told twice: as it is, and as its mirror.
    println!(
        "host/one handler of * adds {:?} for each delta told on the kernel's thread",
        costs[1].saturating_sub(costs[0]) / u32::try_from(DELTAS * 2).unwrap_or(1)
    );
}
