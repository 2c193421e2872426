//! What extensions contribute to the screen, as it looks now.
//!
//! It asks panels and status items for their content and keeps their failures apart. It draws
//! nothing; presenters call it through the api.

use crate::guard::guarded;
use crate::shared::{Shared, lock};
use fen_contract::failure::Failure;
use fen_contract::kinds::{Contribution, Kind, PanelSpec, StatusSpec};
use fen_contract::names::Owner;
use fen_contract::ui::{PanelView, RenderContext, Segment, StatusView};
use std::collections::HashMap;

/// Where an item without an order stands.
const ORDER: f64 = 50.0;

/// The last failure of each panel and item, so that each is told once and not at every drawing.
pub(crate) type RenderFailures = HashMap<(Kind, Owner, String), String>;

/// What a panel gave: nothing where it is not shown.
async fn look(
    spec: &PanelSpec,
    context: &RenderContext,
) -> Result<Option<(Option<u16>, Vec<fen_contract::ui::Row>)>, Failure> {
    if !guarded(|| spec.panel.is_enabled(context)).await.flatten()? {
        return Ok(None);
    }
    let height = guarded(|| spec.panel.height(context)).await.flatten()?;
    if height == Some(0) {
        return Ok(None);
    }
    let rows = guarded(|| spec.panel.render(context)).await.flatten()?;
    Ok(Some((height, rows)))
}

impl Shared {
    pub(crate) async fn panels(&self, context: &RenderContext) -> Vec<PanelView> {
        let mut views = Vec::new();
        for entry in self.registry.snapshot().of_kind(Kind::Panel) {
            let Contribution::Panel(spec) = &entry.contribution else { continue };
            let owner = &entry.by.owner;
            let looked = look(spec, context).await;
            self.note_render(Kind::Panel, owner, &spec.name, looked.as_ref().err());
            let (height, rows) = match looked {
                Ok(Some(shown)) => shown,
                Ok(None) => continue,
                Err(failure) => (Some(1), vec![error_row(owner, &spec.name, &failure)]),
            };
            views.push(PanelView {
                owner: owner.clone(),
                name: spec.name.clone(),
                title: spec.title.clone(),
                placement: spec.placement.unwrap_or_default(),
                order: spec.order.unwrap_or(ORDER),
                height,
                rows,
            });
        }
        views.sort_by(|a, b| a.order.total_cmp(&b.order));
        views
    }

    pub(crate) async fn status_items(&self, context: &RenderContext) -> Vec<StatusView> {
        let mut views = Vec::new();
        for entry in self.registry.snapshot().of_kind(Kind::Status) {
            let Contribution::Status(spec) = &entry.contribution else { continue };
            let owner = &entry.by.owner;
            let said = guarded(|| spec.item.render(context)).await.flatten();
            self.note_render(Kind::Status, owner, &spec.name, said.as_ref().err());
            match said {
                Ok(Some(segment)) if !segment.text.is_empty() => {
                    views.push(status_view(owner, spec, segment));
                }
                Ok(_) | Err(_) => {}
            }
        }
        views.sort_by(|a, b| a.order.total_cmp(&b.order));
        views
    }

    /// Runs the control that has this key.
    pub(crate) async fn press(&self, key: &str) -> Option<Result<(), Failure>> {
        let snapshot = self.registry.snapshot();
        let (entry, spec) = snapshot.of_kind(Kind::Control).find_map(|entry| {
            let Contribution::Control(spec) = &entry.contribution else { return None };
            (spec.key.as_deref() == Some(key)).then_some((entry, spec))
        })?;
        let ran = guarded(|| spec.control.activate()).await.flatten();
        if let Err(failure) = &ran {
            let words = format!("{} (control `{}`)", failure.message, spec.name);
            self.report_callback(&entry.by.owner, "handler", &words);
        }
        Some(ran)
    }

    /// Tells of a failure that is new, and forgets one that is over.
    fn note_render(&self, kind: Kind, owner: &Owner, name: &str, failure: Option<&Failure>) {
        let key = (kind, owner.clone(), name.to_owned());
        let is_new = {
            let mut known = lock(&self.render_failures);
            match failure {
                None => {
                    known.remove(&key);
                    false
                }
                Some(failure) => {
                    known.insert(key, failure.message.clone()).as_ref() != Some(&failure.message)
                }
            }
        };
        if let (true, Some(failure)) = (is_new, failure) {
            self.report_callback(owner, "render", &format!("{kind} `{name}`: {failure}"));
        }
    }
}

fn status_view(owner: &Owner, spec: &StatusSpec, segment: Segment) -> StatusView {
    StatusView {
        owner: owner.clone(),
        name: spec.name.clone(),
        side: spec.side.unwrap_or_default(),
        order: spec.order.unwrap_or(ORDER),
        segment,
    }
}

fn error_row(owner: &Owner, name: &str, failure: &Failure) -> Vec<Segment> {
    let text = format!("{name} of {owner} failed: {failure}");
    vec![Segment { text, style: Some("error".to_owned()) }]
}
