//! Which models the service has.

use crate::call::authorized;
use crate::provider::Messages;
use fen_contract::names::Count;
use fen_contract::provider::{CallOptions, ModelInfo};
use fen_provider_kit::failure::CallError;
use fen_transport::http::Request;
use serde::Deserialize;

#[derive(Deserialize)]
struct Page {
    data: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    id: String,
    display_name: Option<String>,
    max_input_tokens: Option<u64>,
    max_tokens: Option<u64>,
}

/// Asks for all models. Source: Claude API reference, "List models"; one page holds up to 1,000.
/// What the service leaves out is taken from what is known of the model.
pub(crate) async fn models(
    provider: &Messages,
    options: &CallOptions,
) -> Result<Vec<ModelInfo>, CallError> {
    let address = provider.address("models");
    let joint = if address.contains('?') { '&' } else { '?' };
    let place = provider.place(format!("{address}{joint}limit=1000"), options);
    let request = authorized(&place, Request::get(place.url()))?;
    let page: Page = place.list(request).await?;
    let info = |listed: Listed| {
        let known = provider.config.model(&listed.id).cloned();
        let known = known.unwrap_or_else(|| ModelInfo::named(listed.id.as_str()));
        ModelInfo {
            id: listed.id.into(),
            name: listed.display_name.or(known.name),
            context_window: listed.max_input_tokens.map(Count).or(known.context_window),
            max_tokens: listed.max_tokens.map(Count).or(known.max_tokens),
            reasoning: known.reasoning,
            price: known.price,
        }
    };
    Ok(page.data.into_iter().map(info).collect())
}
