//! `/model` and `/thinking`.

use crate::{Call, Definition, offer};
use fen_contract::api::Api;
use fen_contract::conversation::{Conversation, ModelChoice};
use fen_contract::failure::Failure;
use fen_contract::names::{ModelId, ProviderName};
use fen_contract::provider::ThinkingLevel;

pub(crate) fn commands() -> Vec<Definition> {
    vec![
        Definition {
            name: "model",
            usage: "[provider/model]",
            description: "Show the models, or change to one",
            idle_only: false,
            run: |call| Box::pin(async move { model(&call) }),
            complete: |api, prefix| {
                let models = api.conversation().map(|chat| chat.models()).unwrap_or_default();
                models.iter().map(name_of).filter(|name| name.contains(prefix)).map(offer).collect()
            },
        },
        Definition {
            name: "thinking",
            usage: "[off|minimal|low|medium|high|xhigh]",
            description: "Show or change how much the model thinks",
            idle_only: false,
            run: |call| Box::pin(async move { thinking(&call) }),
            complete: |_api, prefix| {
                let names = ThinkingLevel::ALL.iter().map(|level| level.as_str());
                names.filter(|name| name.starts_with(prefix)).map(offer).collect()
            },
        },
    ]
}

fn name_of(choice: &ModelChoice) -> String {
    format!("{}/{}", choice.provider, choice.model.id)
}

fn model(call: &Call<'_>) -> Result<(), Failure> {
    let conversation = call.conversation()?;
    let models = conversation.models();
    if call.arguments.is_empty() {
        let agent = conversation.agent().summary();
        let current = format!("{}/{}", agent.provider, agent.model);
        let mut lines = vec![format!("now {current}")];
        lines.extend(models.iter().map(|choice| format!("  {}", name_of(choice))));
        return call.say(lines.join("\n"));
    }
    let (provider, model) = resolve(call.api, &*conversation, &models, call.arguments)?;
    conversation.set_model(provider.clone(), model.clone())?;
    call.say(format!("model {model} of {provider}, from the next call on"))
}

/// `provider/model` is taken as it stands, since not every provider tells its models beforehand; a
/// part of a name has to fit exactly one model.
fn resolve(
    api: &dyn Api,
    conversation: &dyn Conversation,
    models: &[ModelChoice],
    query: &str,
) -> Result<(ProviderName, ModelId), Failure> {
    if let Some((provider, model)) = query.split_once('/')
        && api.list("providers")?.iter().any(|row| row["name"] == provider)
    {
        return Ok((provider.into(), model.into()));
    }
    let exact: Vec<&ModelChoice> =
        models.iter().filter(|choice| choice.model.id.as_str() == query).collect();
    let fitting = if exact.is_empty() {
        models.iter().filter(|choice| name_of(choice).contains(query)).collect()
    } else {
        exact
    };
    match fitting.as_slice() {
        [one] => Ok((one.provider.clone(), one.model.id.clone())),
        [] => {
            let provider = conversation.agent().0.provider();
            Err(Failure::caller(format!(
                "no known model has `{query}` in its name; for one that is not listed type \
                 /model {provider}/{query}"
            )))
        }
        several => {
            let names: Vec<String> = several.iter().take(8).map(|choice| name_of(choice)).collect();
            Err(Failure::caller(format!("`{query}` fits {}; say more", names.join(", "))))
        }
    }
}

fn thinking(call: &Call<'_>) -> Result<(), Failure> {
    let conversation = call.conversation()?;
    if call.arguments.is_empty() {
        return call.say(format!("thinking {}", conversation.thinking().as_str()));
    }
    let Some(level) = ThinkingLevel::from_name(call.arguments) else {
        let names: Vec<&str> = ThinkingLevel::ALL.iter().map(|level| level.as_str()).collect();
        return Err(Failure::caller(format!("expected one of {}", names.join(", "))));
    };
    conversation.set_thinking(level);
    call.say(format!("thinking {}, from the next call on", level.as_str()))
}
