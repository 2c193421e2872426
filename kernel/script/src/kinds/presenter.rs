//! Presenters.

use super::presenter_context::context_table;
use super::presenter_ui::ScriptUi;
use super::spec::Spec;
use crate::host::{Callback, Limit};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::PresenterSpec;
use fen_contract::presenter::{Presenter, PresenterContext};
use fen_contract::ui::Ui;
use mlua::IntoLuaMulti as _;
use std::sync::Arc;

struct ScriptPresenter {
    init: Option<Callback>,
    run: Callback,
    shutdown: Option<Callback>,
    ui: Option<Arc<ScriptUi>>,
}

pub(super) fn contribution(spec: &mut Spec<'_>) -> Result<PresenterSpec, String> {
    let mut ui = None;
    let mut functions = std::mem::take(&mut spec.ui);
    if !functions.is_empty() {
        let mut take =
            |name: &str| functions.remove(name).map(|function| spec.kept(function)).transpose();
        ui = Some(Arc::new(ScriptUi {
            notify: take("notify")?,
            prompt: take("prompt")?,
            select: take("select")?,
        }));
    }
    Ok(PresenterSpec {
        name: spec.name()?,
        one_shot: spec.optional("one-shot?")?,
        presenter: Arc::new(ScriptPresenter {
            init: spec.callback("init")?,
            run: spec.required_callback("run")?,
            shutdown: spec.callback("shutdown")?,
            ui,
        }),
    })
}

async fn call(
    callback: &Callback,
    limit: Limit,
    context: &PresenterContext,
) -> Result<(), Failure> {
    let context = context.clone();
    let called = callback.call(
        limit,
        None,
        move |instance| context_table(instance, &context)?.into_lua_multi(instance.lua()),
        |_, _| Ok(()),
    );
    Ok(called.await?)
}

impl Presenter for ScriptPresenter {
    fn init<'a>(&'a self, context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            match &self.init {
                Some(init) => call(init, Limit::Handler, context).await,
                None => Ok(()),
            }
        })
    }

    fn run<'a>(&'a self, context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(call(&self.run, Limit::Endless, context))
    }

    fn shutdown<'a>(&'a self, context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            match &self.shutdown {
                Some(shutdown) => call(shutdown, Limit::Handler, context).await,
                None => Ok(()),
            }
        })
    }

    fn ui(&self) -> Option<Arc<dyn Ui>> {
        self.ui.clone().map(|ui| ui as Arc<dyn Ui>)
    }
}
