//! `/model`: which model answers.

use crate::{Call, Complete, Definition, offer};
use fen_contract::api::Api;
use fen_contract::conversation::{Conversation, ModelChoice};
use fen_contract::failure::Failure;
use fen_contract::names::{Count, ModelId, ProviderName};
use fen_contract::ui::{Choice, Offer, Ui};
use serde_json::Value;
use std::collections::HashMap;

/// How many names of fitting models are told.
const TOLD: usize = 8;

pub(crate) fn commands() -> Vec<Definition> {
    vec![Definition {
        name: "model",
        usage: "[provider/model]",
        description: "Show the models, or change to one",
        idle_only: false,
        run: |call| Box::pin(async move { model(&call).await }),
        complete: Complete::AtOnce(|api, prefix| {
            let models = api.conversation().map(|chat| chat.models()).unwrap_or_default();
            models.iter().map(name_of).filter(|name| name.contains(prefix)).map(offer).collect()
        }),
    }]
}

fn name_of(choice: &ModelChoice) -> String {
    format!("{}/{}", choice.provider, choice.model.id)
}

/// What a query stands for.
enum Found {
    One(ProviderName, ModelId),
    Several(Vec<String>),
}

async fn model(call: &Call<'_>) -> Result<(), Failure> {
    let conversation = call.conversation()?;
    let models = conversation.models();
    let (provider, model) = if call.arguments.is_empty() {
        let Some(ui) = call.screen() else { return call.say(list(&*conversation, &models)) };
        match pick(call.api, &*ui, &*conversation, &models, None).await {
            Some(picked) => picked,
            None => return Ok(()),
        }
    } else {
        match (resolve(call.api, &*conversation, &models, call.arguments)?, call.screen()) {
            (Found::One(provider, model), _) => (provider, model),
            (Found::Several(_), Some(ui)) => {
                match pick(call.api, &*ui, &*conversation, &models, Some(call.arguments)).await {
                    Some(picked) => picked,
                    None => return Ok(()),
                }
            }
            (Found::Several(names), None) => {
                return Err(Failure::caller(format!(
                    "`{}` fits {}; say more",
                    call.arguments,
                    names.join(", ")
                )));
            }
        }
    };
    conversation.set_model(provider.clone(), model.clone())?;
    call.say(format!("model {model} of {provider}, from the next call on"))
}

fn current(conversation: &dyn Conversation) -> String {
    let agent = conversation.agent().summary();
    format!("{}/{}", agent.provider, agent.model)
}

fn list(conversation: &dyn Conversation, models: &[ModelChoice]) -> String {
    let mut lines = vec![format!("now {}", current(conversation))];
    lines.extend(models.iter().map(|choice| format!("  {}", name_of(choice))));
    lines.join("\n")
}

/// Lets the person choose among all models that are known.
async fn pick(
    api: &dyn Api,
    ui: &dyn Ui,
    conversation: &dyn Conversation,
    models: &[ModelChoice],
    query: Option<&str>,
) -> Option<(ProviderName, ModelId)> {
    let keys = key_states(api);
    let offers = models.iter().enumerate().map(|(position, choice)| Offer {
        label: name_of(choice),
        value: position.into(),
        detail: detail(choice, &keys),
    });
    let now = current(conversation);
    let choice = Choice {
        title: "Which model is to answer?".to_owned(),
        choices: offers.collect(),
        initial_query: query.map(str::to_owned),
        current: models.iter().position(|choice| name_of(choice) == now).map(Value::from),
        ..Choice::default()
    };
    let picked = ui.pick(choice).await?;
    let choice = models.get(usize::try_from(picked.value.as_u64()?).ok()?)?;
    Some((choice.provider.clone(), choice.model.id.clone()))
}

/// What the auth backend of each provider says of its key.
fn key_states(api: &dyn Api) -> HashMap<String, String> {
    let text = |row: &Value, field: &str| row[field].as_str().map(str::to_owned);
    let backends = api.list("auth-backends").unwrap_or_default();
    let states: HashMap<String, String> = backends
        .iter()
        .filter_map(|row| Some((text(row, "name")?, text(row, "status")?)))
        .collect();
    let providers = api.list("providers").unwrap_or_default();
    providers
        .iter()
        .filter_map(|row| Some((text(row, "name")?, states.get(row["auth"].as_str()?)?.clone())))
        .collect()
}

fn detail(choice: &ModelChoice, keys: &HashMap<String, String>) -> Option<String> {
    let window = choice.model.context_window.map(|window| format!("{} window", tokens(window)));
    let key = keys.get(choice.provider.as_str()).cloned();
    let parts: Vec<String> =
        [choice.model.name.clone(), window, key].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

/// A number of tokens in short.
fn tokens(Count(count): Count) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..1_000_000 => format!("{}k", count / 1_000),
        _ => {
            let tenths = count / 100_000;
            match tenths % 10 {
                0 => format!("{}M", tenths / 10),
                tenth => format!("{}.{tenth}M", tenths / 10),
            }
        }
    }
}

/// `provider/model` is taken as it stands, since not every provider tells its models beforehand; a
/// part of a name has to fit exactly one model.
fn resolve(
    api: &dyn Api,
    conversation: &dyn Conversation,
    models: &[ModelChoice],
    query: &str,
) -> Result<Found, Failure> {
    if let Some((provider, model)) = query.split_once('/')
        && api.list("providers")?.iter().any(|row| row["name"] == provider)
    {
        return Ok(Found::One(provider.into(), model.into()));
    }
    let exact: Vec<&ModelChoice> =
        models.iter().filter(|choice| choice.model.id.as_str() == query).collect();
    let fitting = if exact.is_empty() {
        models.iter().filter(|choice| name_of(choice).contains(query)).collect()
    } else {
        exact
    };
    match fitting.as_slice() {
        [one] => Ok(Found::One(one.provider.clone(), one.model.id.clone())),
        [] => {
            let provider = conversation.agent().0.provider();
            Err(Failure::caller(format!(
                "no known model has `{query}` in its name; for one that is not listed type \
                 /model {provider}/{query}"
            )))
        }
        several => Ok(Found::Several(several.iter().take(TOLD).map(|one| name_of(one)).collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_told_in_short() {
        let told = [0, 999, 8_192, 200_000, 1_000_000, 1_050_000, 1_500_000, u64::MAX];
        let told = told.map(|count| tokens(Count(count)));
        assert_eq!(&told[..7], ["0", "999", "8k", "200k", "1M", "1M", "1.5M"]);
    }
}
