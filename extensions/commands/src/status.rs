//! `/status`: the model, the session, and what the conversation has used up.

use crate::session_row::size;
use crate::{Call, Complete, Definition};
use fen_contract::conversation::Conversation;
use fen_contract::failure::Failure;
use fen_contract::names::{Count, ModelId, ProviderName};
use fen_contract::price::Dollars;
use fen_contract::provider::ModelInfo;
use fen_contract::session::{FindOptions, SessionInfo};
use fen_contract::types::{AssistantMessage, Message, Usage};
use std::collections::HashMap;
use std::sync::Arc;

/// How many sessions are looked through for the present one.
const NAMESAKES: usize = 10;

pub(crate) fn commands() -> Vec<Definition> {
    vec![Definition {
        name: "status",
        usage: "",
        description: "Show model, session, use of the window and cost",
        idle_only: false,
        run: |call| Box::pin(async move { status(&call).await }),
        complete: Complete::Nothing,
    }]
}

async fn status(call: &Call<'_>) -> Result<(), Failure> {
    let conversation = call.conversation()?;
    let agent = call.context.agent.summary();
    let mut lines = vec![
        format!("model     {} of {}", agent.model, agent.provider),
        format!("thinking  {}", conversation.thinking().as_str()),
        format!("session   {}", session(&*conversation, call.context.session.as_ref()).await),
        format!("folder    {}", agent.cwd),
        format!("messages  {}", agent.message_count),
    ];
    let models = Models::of(&*conversation);
    let window = models.info(&agent.provider, &agent.model).and_then(|info| info.context_window);
    let answers = answers(call);
    if let Some(usage) = answers.iter().rev().find_map(|answer| answer.usage.as_ref()) {
        lines.push(format!("context   {}", context(usage, window)));
        lines.extend(cache(usage).map(|words| format!("cache     {words}")));
    }
    lines.extend(cost(&answers, &models).map(|words| format!("cost      {words}")));
    let state = if call.context.busy { "busy" } else { "idle" };
    lines.push(format!("state     {state}, {} queued", conversation.queue().len()));
    call.say(lines.join("\n"))
}

async fn session(conversation: &dyn Conversation, session: Option<&SessionInfo>) -> String {
    let Some(session) = session else { return "not stored".to_owned() };
    let id = Some(session.id.to_string());
    let options = FindOptions { id, limit: Some(NAMESAKES), ..FindOptions::default() };
    // A store that cannot be listed has no size to show.
    let stored = conversation.sessions(options).await.unwrap_or_default();
    // Other ids may begin so, and a backend need not heed the filters.
    let stored = stored.iter().find(|stored| stored.id == session.id);
    let bytes = stored.and_then(|stored| stored.size);
    let bytes = bytes.map(|bytes| format!(", {}", size(bytes))).unwrap_or_default();
    let title = session.title.as_ref().map(|title| format!("{title}, ")).unwrap_or_default();
    format!("{title}{}{bytes} ({})", session.id, session.path.display())
}

fn answers(call: &Call<'_>) -> Vec<Arc<AssistantMessage>> {
    let agent = &call.context.agent.0;
    let messages = (0..agent.message_count()).filter_map(|position| agent.message(position));
    messages
        .filter_map(|message| match message {
            Message::Assistant(answer) => Some(answer),
            _ => None,
        })
        .collect()
}

/// What is known of models, for looking many of them up.
struct Models(HashMap<(ProviderName, ModelId), ModelInfo>);

impl Models {
    fn of(conversation: &dyn Conversation) -> Models {
        let models = conversation.models().into_iter();
        Models(
            models
                .map(|choice| ((choice.provider, choice.model.id.clone()), choice.model))
                .collect(),
        )
    }

    fn info(&self, provider: &ProviderName, model: &ModelId) -> Option<&ModelInfo> {
        self.0.get(&(provider.clone(), model.clone()))
    }
}

fn count(count: Option<Count>) -> u64 {
    count.unwrap_or_default().0
}

/// The tokens that the model read.
fn read(usage: &Usage) -> u64 {
    let parts = [usage.input, usage.cache_read, usage.cache_write];
    parts.into_iter().map(count).fold(0, u64::saturating_add)
}

/// A part of a whole in hundredths. They are for people: large numbers need not be exact.
fn percent(part: u64, whole: u64) -> u64 {
    let hundredths = u128::from(part) * 100 / u128::from(whole.max(1));
    u64::try_from(hundredths).unwrap_or(u64::MAX)
}

/// What the next call will carry at least: what the last one read, and its answer.
fn context(usage: &Usage, window: Option<Count>) -> String {
    let tokens = read(usage).saturating_add(count(usage.output));
    match window {
        Some(Count(window)) if window > 0 => {
            format!("{tokens} tokens, {}% of {window}", percent(tokens, window))
        }
        _ => format!("{tokens} tokens"),
    }
}

fn cache(usage: &Usage) -> Option<String> {
    let found = usage.cache_read?.0;
    Some(format!("{}% of the last input came from it", percent(found, read(usage))))
}

/// What all calls cost together; `None` where no price is known.
fn cost(answers: &[Arc<AssistantMessage>], models: &Models) -> Option<String> {
    let used = answers.iter().filter_map(|answer| Some((answer, answer.usage.as_ref()?)));
    let costs: Vec<Option<Dollars>> = used
        .map(|(answer, usage)| {
            let info = models.info(answer.provider.as_ref()?, answer.model.as_ref()?)?;
            Some(info.price?.of(usage))
        })
        .collect();
    let known: Vec<Dollars> = costs.iter().copied().flatten().collect();
    let total: Dollars = known.iter().copied().sum();
    match (known.len(), costs.len()) {
        (0, _) => None,
        (known, all) if known == all => Some(total.to_string()),
        (known, all) => Some(format!("{total} for {known} of {all} calls; the rest has no price")),
    }
}
