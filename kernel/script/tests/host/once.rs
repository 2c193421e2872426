//! Code that runs once, beside the extensions.

use crate::beside::until;
use crate::kit::{World, program};
use fen_contract::kinds::Kind;
use fen_script::host::Once;
use std::sync::Arc;

fn once(source: &str) -> Once {
    Once {
        program: program("run", source),
        beside: None,
        arguments: Vec::new(),
        print: Arc::new(|_| {}),
    }
}

/// Registers a command, and then does this.
fn registering(then: &str) -> String {
    format!("api.register('command', {{ name = 'scratch', handler = function() end }})\n{then}")
}

fn is_registered(world: &World) -> bool {
    world.kernel.registry().find(Kind::Command, "scratch").is_some()
}

/// Nothing is left of the code: neither what it registered nor its VM.
async fn nothing_is_left(world: &World) {
    assert!(!is_registered(world));
    until("the end of its VM", || async { world.host.instances().await == 0 }).await;
}

#[tokio::test]
async fn what_it_registers_goes_with_it() {
    let world = World::new();
    let given = world.host.run_once(once(&registering("return #api.list('commands')"))).await;
    assert_eq!(given, Ok(vec!["1".to_owned()]));
    nothing_is_left(&world).await;
    let failed = world.host.run_once(once(&registering("error('no')"))).await;
    assert_eq!(failed.unwrap_err().message.lines().next(), Some("run.lua:2: no"));
    nothing_is_left(&world).await;
}

#[tokio::test]
async fn nothing_is_left_of_it_once_nobody_waits() {
    let world = World::new();
    tokio::select! {
        given = world.host.run_once(once(&registering("while true do end"))) => panic!("{given:?}"),
        () = until("its command", || async { is_registered(&world) }) => {}
    }
    nothing_is_left(&world).await;
}
