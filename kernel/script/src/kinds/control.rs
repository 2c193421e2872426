//! Controls: keys that do something.

use super::command::context_table;
use super::spec::Spec;
use crate::host::{Callback, Limit};
use crate::wire::names_aliased;
use fen_contract::command::CommandContext;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::ControlSpec;
use fen_contract::ui::Control;
use mlua::IntoLuaMulti as _;
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
                    let lua = instance.lua();
                    let context = match instance.api.conversation() {
                        Some(conversation) => {
                            let context = CommandContext {
                                busy: conversation.is_busy(),
                                agent: conversation.agent(),
                                session: conversation.session(),
                            };
                            context_table(lua, &context)?
                        }
                        None => {
                            let context = lua.create_table()?;
                            context.raw_set("busy?", false)?;
                            names_aliased(lua, context)?
                        }
                    };
                    context.into_lua_multi(lua)
                },
                |_, _| Ok(()),
            );
            Ok(called.await?)
        })
    }
}
