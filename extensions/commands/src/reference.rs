//! `/docs`: the contract's reference, and what is registered now.

use crate::{Call, Complete, Definition, offer};
use fen_contract::failure::Failure;
use fen_contract::lookup;

pub(crate) fn commands() -> Vec<Definition> {
    vec![Definition {
        name: "docs",
        usage: "[topic [name]]",
        description: "Show the reference, or what is registered",
        idle_only: false,
        run: |call| Box::pin(async move { docs(&call) }),
        complete: Complete::AtOnce(|_api, prefix| {
            lookup::completions(prefix).into_iter().map(offer).collect()
        }),
    }]
}

fn docs(call: &Call<'_>) -> Result<(), Failure> {
    let mut words = call.arguments.split_whitespace();
    let (topic, name) = (words.next(), words.next());
    let page = lookup::page(topic, name, &|surface| call.api.list(surface))?;
    call.page("Reference", page.trim_end().to_owned())
}
