//! The sessions that are stored beside the open one.

use crate::support::{MemorySessions, Shelved, World};
use fen_contract::kinds::SessionBackendSpec;
use fen_contract::session::FindOptions;
use fen_core::RunSetup;

fn world() -> World {
    let world = World::answering([]);
    world.sessions.shelve(Shelved::new("old", Vec::new()));
    world.sessions.shelve(Shelved::new("older", Vec::new()));
    world
}

#[tokio::test(start_paused = true)]
async fn stored_sessions_are_listed_and_previewed() {
    world()
        .run(|stage| async move {
            let talk = stage.conversation.clone();
            let all = talk.sessions(FindOptions::default()).await.unwrap();
            let ids: Vec<&str> = all.iter().map(|info| info.id.as_str()).collect();
            assert_eq!(ids, ["old", "older"]);
            let one = FindOptions { limit: Some(1), ..FindOptions::default() };
            assert_eq!(talk.sessions(one).await.unwrap().len(), 1);
            assert_eq!(talk.preview_session(all[1].path.clone()).await.unwrap(), "about older");
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn without_a_session_the_active_backend_is_asked_or_the_first_or_nobody() {
    let setup = || RunSetup { session: None, ..RunSetup::new("stage", "scripted", "m", "/home") };
    World::answering([])
        .run_with(setup(), |stage| async move {
            let failed = stage.conversation.sessions(FindOptions::default()).await.unwrap_err();
            assert!(failed.message.contains("no session backend"), "{failed}");
        })
        .await;
    for (active, expected) in [(None, "old"), (Some("second"), "elsewhere")] {
        let world = world();
        let second = MemorySessions::new();
        second.shelve(Shelved::new("elsewhere", Vec::new()));
        for (name, sessions) in [("first", world.sessions.clone()), ("second", second)] {
            let spec = SessionBackendSpec { name: name.to_owned(), backend: sessions };
            world.contribute(name, spec);
        }
        if let Some(name) = active {
            world.kernel.set_active_session_backend(name).unwrap();
        }
        world
            .run_with(setup(), move |stage| async move {
                let all = stage.conversation.sessions(FindOptions::default()).await.unwrap();
                assert_eq!(all[0].id, expected);
            })
            .await;
    }
}

#[tokio::test(start_paused = true)]
async fn any_session_can_be_named_and_the_open_one_keeps_its_title() {
    let world = world();
    world
        .run(|stage| async move {
            let talk = stage.conversation.clone();
            let open = talk.session().unwrap().path;
            talk.rename_stored(open, "this one".to_owned()).await.unwrap();
            assert_eq!(talk.session().unwrap().title.as_deref(), Some("this one"));
            talk.rename_stored("/sessions/old".into(), "that one".to_owned()).await.unwrap();
            assert_eq!(talk.session().unwrap().title.as_deref(), Some("this one"));
            let gone = talk.rename_stored("/sessions/gone".into(), "x".to_owned()).await;
            assert!(gone.unwrap_err().message.contains("/sessions/gone"));
        })
        .await;
    let pair = |id: &str, title: &str| (id.to_owned(), title.to_owned());
    assert_eq!(world.sessions.renamed(), [pair("s1", "this one"), pair("old", "that one")]);
    assert_eq!(world.sessions.closed(), ["old", "s1"], "what was opened for it is closed");
}

#[tokio::test(start_paused = true)]
async fn any_session_can_be_deleted_but_the_open_one() {
    let world = world();
    world
        .run(|stage| async move {
            let talk = stage.conversation.clone();
            talk.delete_stored("/sessions/old".into()).await.unwrap();
            let open = talk.session().unwrap().path;
            let refused = talk.delete_stored(open).await.unwrap_err();
            assert!(refused.message.contains("s1 is this conversation"), "{refused}");
        })
        .await;
    assert_eq!(world.sessions.deleted(), ["/sessions/old"]);
}
