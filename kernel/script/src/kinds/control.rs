//! Controls: keys that do something.

use super::spec::Spec;
use crate::host::{Callback, Limit};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::ControlSpec;
use fen_contract::ui::Control;
use mlua::{IntoLuaMulti as _, Lua};
use std::sync::Arc;

struct ScriptControl(Callback);

pub(super) fn contribution(spec: &mut Spec<'_>) -> Result<ControlSpec, String> {
    Ok(ControlSpec {
        name: spec.name()?,
        description: spec.optional("description")?,
        key: spec.optional("key")?,
        control: Arc::new(ScriptControl(spec.required_callback("handler")?)),
    })
}

impl Control for ScriptControl {
    fn activate(&self) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(async move {
            let called = self.0.call(
                Limit::Handler,
                None,
                |instance| {
                    let lua: &Lua = instance.lua();
                    let context = lua.create_table()?;
                    let busy = instance.api.conversation().is_some_and(|c| c.is_busy());
                    context.raw_set("busy?", busy)?;
                    crate::wire::names_aliased(lua, context)?.into_lua_multi(lua)
                },
                |_, _| Ok(()),
            );
            Ok(called.await?)
        })
    }
}
