//! What a turn costs: a delta on its way from the socket to the bus, and a request as the
//! conversation grows.

#![allow(clippy::unwrap_used, reason = "a measurement that fails may say so and stop")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fen_contract::api::{Api, Extension, Manifest, Source};
use fen_contract::conversation::WhenBusy;
use fen_contract::events::Event;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{Contribution, Kind, PresenterSpec};
use fen_contract::names::Count;
use fen_contract::presenter::{Presenter, PresenterContext};
use fen_contract::provider::CallOptions;
use fen_contract::record::Extra;
use fen_contract::types::{AgentContext, Message, UserMessage};
use fen_core::transcript::Transcript;
use fen_core::{Kernel, RunSetup};
use fen_transport::http::Client;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const DELTAS: usize = 1000;

/// A recorded-looking answer of a Chat Completions server.
fn stream() -> Vec<u8> {
    let chunk = |delta: &str, finish: &str| {
        format!(
            "data: {{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1796100000,\
             \"model\":\"m\",\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":{finish}}}]}}\n\n"
        )
    };
    let mut body: String = (0..DELTAS).map(|_| chunk("{\"content\":\" token\"}", "null")).collect();
    body.push_str(&chunk("{}", "\"stop\""));
    body.push_str("data: [DONE]\n\n");
    body.into_bytes()
}

/// Answers every request on every connection with the stream.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let Ok(mut socket) = socket else { return };
            std::thread::spawn(move || {
                let body = stream();
                let head = format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\r\n",
                    body.len()
                );
                while read_request(&mut socket) {
                    if socket.write_all(head.as_bytes()).is_err()
                        || socket.write_all(&body).is_err()
                    {
                        return;
                    }
                }
            });
        }
    });
    format!("http://{address}/v1")
}

/// Reads one request with a content-length; false at the end of the connection.
fn read_request(socket: &mut std::net::TcpStream) -> bool {
    let mut bytes = Vec::new();
    let mut buffer = [0; 16 * 1024];
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length:"))
                .map_or(0, |value| value.trim().parse::<usize>().unwrap());
            if bytes.len() >= end + 4 + length {
                return true;
            }
        }
        match socket.read(&mut buffer) {
            Ok(count @ 1..) => bytes.extend_from_slice(&buffer[..count]),
            _ => return false,
        }
    }
}

/// Submits a prompt as often as it is told and waits for each turn's end.
struct Driver {
    turns: AtomicUsize,
}

struct DriverExtension(Arc<Driver>);

impl Extension for DriverExtension {
    fn manifest(&self) -> Manifest {
        Manifest { name: "driver".to_owned(), ..Manifest::default() }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        let presenter = self.0.clone();
        let spec = PresenterSpec { name: "driver".to_owned(), one_shot: Some(true), presenter };
        api.register(spec.into())?;
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
            }
            context.conversation.quit();
            while context.events.next_event().await.is_some() {}
            Ok(())
        })
    }
}

fn deltas(criterion: &mut Criterion) {
    let url = serve();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let client = Client::new(fen_transport::http::Config::default());
    let mut group = criterion.benchmark_group("turn");
    group.throughput(Throughput::Elements(DELTAS as u64));
    group.bench_function("1000 deltas over loopback, per turn", |bencher| {
        bencher.iter_custom(|turns| {
            let kernel = Kernel::new();
            let config = fen_provider_openai::Config::new("bench", url.as_str(), client.clone());
            kernel.load(&fen_provider_openai::extension(config), Source::Bundled).unwrap();
            let driver = Arc::new(Driver { turns: AtomicUsize::new(turns as usize) });
            kernel.load(&DriverExtension(driver), Source::Bundled).unwrap();
            let start = std::time::Instant::now();
            let outcome = runtime.block_on(kernel.run(setup()));
            let took = start.elapsed();
            assert_eq!(outcome.failure, None);
            took
        });
    });
    group.finish();
}

fn setup() -> RunSetup {
    RunSetup::new("driver", "bench", "m", "/")
}

fn context(criterion: &mut Criterion) {
    let transcript = Transcript::default();
    for number in 0..10_000 {
        transcript.push(Message::from(UserMessage::new(format!("{number} {}", "x".repeat(1000)))));
    }
    criterion.bench_function("context of 10000 messages, handed on", |bencher| {
        bencher.iter(|| transcript.context());
    });
    criterion.bench_function("message added to 10000", |bencher| {
        let message = Message::from(UserMessage::new("x"));
        bencher.iter(|| transcript.push(message.clone()));
    });
    let kernel = Kernel::new();
    let client = Client::new(fen_transport::http::Config::default());
    let config = fen_provider_openai::Config::new("bench", "http://127.0.0.1/v1", client);
    kernel.load(&fen_provider_openai::extension(config), Source::Bundled).unwrap();
    let registry = kernel.registry();
    let Contribution::Provider(spec) =
        &registry.find(Kind::Provider, "bench").unwrap().contribution
    else {
        unreachable!("the kind was asked for")
    };
    let messages: Vec<Message> = transcript.context().iter().take(10_000).cloned().collect();
    let context = AgentContext {
        max_tokens: Count(1000),
        messages: Arc::new(messages),
        tools: Arc::new(Vec::new()),
        system_prompt: None,
        extra: Extra::new(),
    };
    criterion.bench_function("request body of 10000 messages of 1 KB", |bencher| {
        bencher.iter(|| {
            spec.provider.build_body(&"m".into(), &context, &CallOptions::default()).unwrap()
        });
    });
}

criterion_group!(benches, deltas, context);
criterion_main!(benches);
