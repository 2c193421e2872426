//! The system prompt, put together from fragments.
//!
//! The order is fixed by `order`, then by id and owner, so that the same fragments give the same
//! bytes whatever was loaded first; the provider's prompt cache depends on it.

use crate::guard::guarded;
use fen_contract::api::{FragmentText, PromptFragment, RegistrationId};
use fen_contract::failure::Failure;
use fen_contract::names::Owner;
use std::sync::{Arc, Mutex, PoisonError};

/// Where the snippets of tools stand.
const SNIPPETS: f64 = 800.0;

struct Placed {
    id: RegistrationId,
    owner: Owner,
    fragment: PromptFragment,
}

async fn text_of(fragment: &PromptFragment) -> Result<Option<String>, Failure> {
    match &fragment.text {
        FragmentText::Fixed(text) => Ok(Some(text.to_string())),
        FragmentText::Made(make) => guarded(|| make()).await.flatten(),
    }
}

fn add(placed: &mut Vec<Arc<Placed>>, id: RegistrationId, owner: Owner, fragment: PromptFragment) {
    placed.retain(|old| !(old.owner == owner && old.fragment.id == fragment.id));
    placed.push(Arc::new(Placed { id, owner, fragment }));
    placed.sort_by(|a, b| {
        let order = a.fragment.order.total_cmp(&b.fragment.order);
        order.then_with(|| a.fragment.id.cmp(&b.fragment.id)).then_with(|| a.owner.cmp(&b.owner))
    });
}

/// All fragments.
#[derive(Default)]
pub struct PromptFragments(Mutex<Vec<Arc<Placed>>>);

/// A fragment that could not be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FragmentFailure {
    /// Its extension.
    pub owner: Owner,
    /// What happened.
    pub failure: Failure,
}

impl PromptFragments {
    fn placed(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Placed>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a fragment; it replaces one of the same owner and id.
    pub fn add(&self, id: RegistrationId, owner: Owner, fragment: PromptFragment) {
        add(&mut self.placed(), id, owner, fragment);
    }

    /// Puts these fragments in the place of all that the extension had.
    pub fn replace_owner(&self, owner: &Owner, fragments: Vec<(RegistrationId, PromptFragment)>) {
        let mut placed = self.placed();
        placed.retain(|old| old.owner != *owner);
        for (id, fragment) in fragments {
            add(&mut placed, id, owner.clone(), fragment);
        }
    }

    /// Removes a fragment; false if it is gone already.
    pub fn remove(&self, id: RegistrationId) -> bool {
        let mut placed = self.placed();
        let before = placed.len();
        placed.retain(|old| old.id != id);
        placed.len() != before
    }

    /// Removes all fragments of an extension.
    pub fn remove_owner(&self, owner: &Owner) -> usize {
        let mut placed = self.placed();
        let before = placed.len();
        placed.retain(|old| old.owner != *owner);
        before - placed.len()
    }

    /// Owner, id and order of each fragment, in order.
    pub fn rows(&self) -> Vec<(Owner, String, f64)> {
        self.placed()
            .iter()
            .map(|placed| (placed.owner.clone(), placed.fragment.id.clone(), placed.fragment.order))
            .collect()
    }

    /// The prompt, or `None` if nothing has anything to say. A failing fragment leaves a note in
    /// its place, so that the model knows that something is missing. `snippets` are what the tools
    /// on offer have to say; they stand before the facts that change.
    pub async fn render(&self, snippets: &[String]) -> (Option<Arc<str>>, Vec<FragmentFailure>) {
        let placed: Vec<Arc<Placed>> = self.placed().clone();
        let mut parts = Vec::new();
        let mut failures = Vec::new();
        let mut snippets =
            (!snippets.is_empty()).then(|| format!("# Tools\n{}", snippets.join("\n")));
        for entry in placed {
            if entry.fragment.order >= SNIPPETS {
                parts.extend(snippets.take());
            }
            match text_of(&entry.fragment).await {
                Ok(Some(text)) if !text.trim().is_empty() => match &entry.fragment.title {
                    Some(title) => parts.push(format!("# {title}\n{}", text.trim_end())),
                    None => parts.push(text.trim_end().to_owned()),
                },
                Ok(_) => {}
                Err(failure) => {
                    parts.push(format!("[the part `{}` could not be made]", entry.fragment.id));
                    failures.push(FragmentFailure { owner: entry.owner.clone(), failure });
                }
            }
        }
        parts.extend(snippets);
        let prompt = (!parts.is_empty()).then(|| Arc::from(parts.join("\n\n")));
        (prompt, failures)
    }
}
