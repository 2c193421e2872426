//! `api.http`: requests to servers, whole or as streams.
//!
//! It owns the functions; [`request`] reads their arguments, [`answer`] makes the tables of
//! answers, [`body`] and [`stream`] read what comes piece by piece. Rules of the client hold: a
//! redirect is an answer like any other, and silence has limits of its own.

mod answer;
mod body;
mod request;
mod stream;

use std::rc::Rc;
use std::time::Duration;

use fen_transport::Error;
use fen_transport::http::Client;
use mlua::{Function, Table, Value};

use self::request::{Arguments, Form};
use super::Capability;
use super::answer::{Kind, Refusal, answer};
use super::group::{Answers, Context, Group};
use super::remote;
use crate::vm::Vm;

pub(super) const GROUP: Group = Group {
    name: "http",
    capability: Some(Capability::Http),
    functions: &[
        ("request", Answers::Table),
        ("get", Answers::Table),
        ("post", Answers::Table),
        ("stream", Answers::Table),
    ],
    make,
};

fn make(vm: &Vm, table: &Table, context: &Rc<Context>) -> mlua::Result<()> {
    table.raw_set("request", whole(vm, context, Form::Request)?)?;
    table.raw_set("get", whole(vm, context, Form::Get)?)?;
    table.raw_set("post", whole(vm, context, Form::Post)?)?;
    table.raw_set("stream", stream(vm, context)?)
}

/// What ended a request or an answer, in the kinds of this module.
fn refusal(error: &Error) -> Refusal {
    let kind = match error {
        Error::InvalidRequest { .. } => Kind::Invalid,
        Error::Timeout { .. } | Error::Stall { .. } => Kind::Timeout,
        Error::BodyTooLarge { .. } | Error::Sse { .. } => Kind::TooLarge,
        _ => Kind::Network,
    };
    let retryable = Some(error.is_retryable());
    Refusal { retryable, ..Refusal::new(kind, error.to_string()) }
}

fn late(limit: Duration) -> Refusal {
    let words = format!("the server did not answer within {} ms", limit.as_millis());
    Refusal { retryable: Some(true), ..Refusal::new(Kind::Timeout, words) }
}

fn client(context: &Context) -> Result<Client, Refusal> {
    let client = context.around.http.clone();
    client.ok_or_else(|| Refusal::new(Kind::Network, "fen has no network here"))
}

/// `request`, `get` and `post`: an answer with its whole body.
fn whole(vm: &Vm, context: &Rc<Context>, form: Form) -> mlua::Result<Function> {
    let context = context.clone();
    vm.async_function(move |lua, (first, second): (Value, Value)| {
        let context = context.clone();
        let arguments = Arguments::read(form, first, second);
        async move {
            let Arguments { request, limit, most } = arguments?;
            let prepared = request
                .and_then(|request| Ok((request, client(&context)?, context.responses.take()?)));
            let outcome = match prepared {
                Err(refusal) => Err(refusal),
                Ok((request, client, slot)) => {
                    let exchange = async move {
                        let response = client.send(request).await?;
                        let head = answer::Head::of(&response);
                        Ok((head, response.whole_body(most).await?))
                    };
                    let work = async move {
                        let outcome = match tokio::time::timeout(limit, exchange).await {
                            Ok(outcome) => outcome.map_err(|error: Error| refusal(&error)),
                            Err(_) => Err(late(limit)),
                        };
                        drop(slot);
                        outcome
                    };
                    remote::run(&context.around.runtime, work).await
                }
            };
            let vm = context.vm.upgrade().ok_or("the extension is gone")?;
            answer(&lua, outcome, |table, (head, body)| {
                head.describe(&lua, table)?;
                answer::add_body(&vm, table, &body)
            })
        }
    })
}

/// `stream`: an answer whose body comes piece by piece.
fn stream(vm: &Vm, context: &Rc<Context>) -> mlua::Result<Function> {
    let context = context.clone();
    vm.async_function(move |lua, (first, second): (Value, Value)| {
        let context = context.clone();
        let arguments = Arguments::read(Form::Stream, first, second);
        async move {
            let Arguments { request, limit, most } = arguments?;
            let prepared = request
                .and_then(|request| Ok((request, client(&context)?, context.responses.take()?)));
            let outcome = match prepared {
                Err(refusal) => Err(refusal),
                Ok((request, client, slot)) => {
                    let work = async move {
                        match tokio::time::timeout(limit, client.send(request)).await {
                            Ok(outcome) => outcome.map_err(|error| refusal(&error)),
                            Err(_) => Err(late(limit)),
                        }
                    };
                    let answered = remote::run(&context.around.runtime, work).await;
                    answered.map(|response| (response, slot))
                }
            };
            let vm = context.vm.upgrade().ok_or("the extension is gone")?;
            answer(&lua, outcome, |table, (response, slot)| {
                answer::Head::of(&response).describe(&lua, table)?;
                let runtime = context.around.runtime.clone();
                let body = body::Body::new(runtime, response, most, slot);
                table.raw_set("response", stream::object(&vm, Rc::new(body))?)
            })
        }
    })
}
