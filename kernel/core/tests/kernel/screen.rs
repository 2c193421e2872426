//! Panels and status items: what presenters get of them, and what a failing one does.

use crate::support::{Answer, World};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{PanelSpec, StatusSpec};
use fen_contract::ui::{Panel, RenderContext, Row, Segment, StatusItem};
use std::sync::{Arc, Mutex};

type Rendered = Result<Option<&'static str>, &'static str>;

/// Gives what it was told last; panics on `Err("panic")`.
#[derive(Clone)]
struct Scripted(Arc<Mutex<Rendered>>);

impl Scripted {
    fn new(rendered: Rendered) -> Self {
        Scripted(Arc::new(Mutex::new(rendered)))
    }

    fn becomes(&self, rendered: Rendered) {
        *self.0.lock().unwrap() = rendered;
    }

    fn now(&self) -> Result<Option<Segment>, Failure> {
        let now = *self.0.lock().unwrap();
        match now {
            Ok(text) => Ok(text.map(|text| Segment { text: text.to_owned(), style: None })),
            Err("panic") => panic!("no paint"),
            Err(words) => Err(Failure::new(words)),
        }
    }
}

impl StatusItem for Scripted {
    fn render<'a>(
        &'a self,
        _context: &'a RenderContext,
    ) -> BoxFuture<'a, Result<Option<Segment>, Failure>> {
        Box::pin(async { self.now() })
    }
}

impl Panel for Scripted {
    fn render<'a>(
        &'a self,
        _context: &'a RenderContext,
    ) -> BoxFuture<'a, Result<Vec<Row>, Failure>> {
        Box::pin(async { Ok(self.now()?.into_iter().map(|segment| vec![segment]).collect()) })
    }
}

fn panel(name: &str, order: f64, content: &Scripted) -> PanelSpec {
    PanelSpec {
        name: name.to_owned(),
        title: None,
        order: Some(order),
        placement: None,
        panel: Arc::new(content.clone()),
    }
}

fn status(name: &str, content: &Scripted) -> StatusSpec {
    let item = Arc::new(content.clone());
    StatusSpec { name: name.to_owned(), order: None, side: None, item }
}

#[tokio::test]
async fn a_failing_panel_is_one_error_row_and_the_others_are_shown() {
    let world = World::answering([Answer::text("done")]);
    world.contribute("x", panel("bad", 1.0, &Scripted::new(Err("out of paint"))));
    world.contribute("y", panel("worse", 2.0, &Scripted::new(Err("panic"))));
    world.contribute("z", panel("good", 0.0, &Scripted::new(Ok(Some("fine")))));
    let views = world.kernel.api().panels(RenderContext::default()).await;
    let rows: Vec<(&str, &str, Option<&str>)> = views
        .iter()
        .map(|view| {
            let segment = &view.rows[0][0];
            (view.name.as_str(), segment.text.as_str(), segment.style.as_deref())
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("good", "fine", None),
            ("bad", "bad of x failed: out of paint", Some("error")),
            ("worse", "worse of y failed: it panicked: no paint", Some("error")),
        ]
    );
    assert_eq!(world.record.texts("extension-error", "owner"), ["x", "y"]);
}

#[tokio::test]
async fn a_failure_is_told_once_until_it_is_over_or_another_one() {
    let world = World::answering([]);
    let content = Scripted::new(Err("a"));
    world.contribute("x", status("clock", &content));
    let api = world.kernel.api();
    for rendered in [Err("a"), Err("a"), Err("b"), Ok(Some("12:00")), Err("b")] {
        content.becomes(rendered);
        let items = api.status_items(RenderContext::default()).await;
        assert_eq!(items.len(), usize::from(rendered.is_ok()));
    }
    let errors = world.record.texts("extension-error", "error");
    assert_eq!(errors, ["status `clock`: a", "status `clock`: b", "status `clock`: b"]);
}

#[tokio::test]
async fn an_item_with_nothing_to_say_is_hidden() {
    let world = World::answering([]);
    world.contribute("x", status("quiet", &Scripted::new(Ok(None))));
    world.contribute("y", status("empty", &Scripted::new(Ok(Some("")))));
    assert!(world.kernel.api().status_items(RenderContext::default()).await.is_empty());
}
