//! The last resort: a script thread that nothing can interrupt is given up.

use crate::beside::{beside, good_works, nothing, remark, results, until};
use crate::kit::World;
use fen_provider_mock::Turn;
use std::future::Future as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Wake, Waker};
use std::time::Duration;

const BOUND: Duration = Duration::from_millis(200);

/// A world in which the note `stop here` never comes back until the sender is dropped.
fn stuck_world(world: World) -> (World, mpsc::Sender<()>) {
    let (release, blocked) = mpsc::channel();
    *world.terminal.blocks_on.lock().unwrap() = Some(blocked);
    (world, release)
}

const STUCK: &str = "return function(api)
  api.register('hook', { ['before-tool'] = function() end })
  api.on('info', function(e) if e.info == 'get stuck' then api.ui.notify('stop here') end end)
end";

#[tokio::test]
async fn a_stuck_thread_is_given_up_and_all_but_the_culprit_run_on_another_one() {
    let world = World::answering(vec![Turn::call("good", nothing()), Turn::text("done")]);
    let (world, release) = stuck_world(beside(world).await);
    world.loads("culprit", STUCK).await;
    world.loads("third", "return function(api) api.register('command', { name = 'third', handler = function() api.emit({ type = 'info', info = 'third' }) end }) end").await;
    let host = world.host.clone();
    let watch = tokio::spawn(async move { host.watch_within(BOUND).await });
    remark(&world.kernel, "get stuck");
    until("the quarantine", || async { world.row("culprit")["state"] == "quarantined" }).await;
    until("the others", || async {
        let mut loaded = world.host.loaded();
        loaded.sort();
        loaded == ["good", "third"]
    })
    .await;
    good_works(&world.kernel, "a stuck thread").await;
    assert_eq!(world.host.instances().await, 2);
    let row = world.row("culprit");
    assert_eq!(row["reason"], "it was stuck in code that nothing can interrupt");
    let told: Vec<_> = world.told("error").iter().map(|e| e["error"].to_string()).collect();
    assert!(told.iter().any(|error| error.contains("`culprit` is quarantined")), "{told:?}");
    world
        .run(|context| async move {
            context.conversation.dispatch("/third".to_owned()).await.unwrap();
            crate::kit::say(&context, "work").await;
        })
        .await;
    assert!(world.infos().contains(&"third".to_owned()));
    let text = &results(&world)[0];
    assert!(text.contains("`culprit` has hooks and is quarantined"), "{text}");
    // What comes back to life on the old thread reaches nobody.
    drop(release);
    good_works(&world.kernel, "the end of the stuck thread").await;
    assert_eq!(world.host.instances().await, 2);
    watch.abort();
}

#[tokio::test]
async fn calls_into_a_thread_that_is_given_up_end_with_an_error() {
    let (world, release) = stuck_world(beside(World::new()).await);
    world.loads("culprit", STUCK).await;
    world.loads("asked", "return function(api) api.register('introspect', { name = 'i', snapshot = function() return {} end }) end").await;
    remark(&world.kernel, "get stuck");
    until("the note", || async { !world.terminal.notes.lock().unwrap().is_empty() }).await;
    let (kernel, host) = (world.kernel.clone(), world.host.clone());
    let asked = tokio::spawn(async move { crate::beside::snapshot(&kernel, "asked").await });
    let watch = tokio::spawn(async move { host.watch_within(BOUND).await });
    let given = asked.await.unwrap();
    assert!(given["error"].as_str().unwrap().contains("was given up"), "{given}");
    until("the others", || async { world.host.loaded().len() == 2 }).await;
    good_works(&world.kernel, "a given-up thread").await;
    watch.abort();
    drop(release);
}

#[tokio::test]
async fn a_thread_that_is_busy_with_many_things_is_not_stuck() {
    let world = beside(World::new()).await;
    world.loads("burns", "return function(api) api.on('info', function(e) if e.info == 'burn' then while true do end end end) end").await;
    let host = world.host.clone();
    let watch = tokio::spawn(async move { host.watch_within(BOUND).await });
    remark(&world.kernel, "burn");
    until("the end of the burner", || async { !world.errors().is_empty() }).await;
    assert!(world.errors()[0].contains("ran longer than 500 ms"), "{:?}", world.errors());
    assert!(world.told("error").is_empty());
    assert_eq!(world.host.loaded(), ["good", "burns"]);
    watch.abort();
}

/// Counts how often somebody is woken.
#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test]
async fn the_watch_sleeps_without_a_timer_while_no_script_has_anything_to_do() {
    let world = World::new();
    let host = world.host.clone();
    let mut watch = Box::pin(async move { host.watch_within(BOUND / 10).await });
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(woken.clone());
    // How often it is woken while several of its periods go by; a timer of its own fires in between.
    let mut wakes_in_a_while = async || {
        let before = woken.0.load(Ordering::Relaxed);
        assert!(watch.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        tokio::time::sleep(BOUND / 2).await;
        woken.0.load(Ordering::Relaxed) - before
    };
    assert_eq!(wakes_in_a_while().await, 0);
    let world = beside(world).await;
    assert!(wakes_in_a_while().await > 0, "the first script");
    while wakes_in_a_while().await > 0 {}
    remark(&world.kernel, "any");
    let heard = async || world.host.settle(Duration::from_secs(60)).await;
    assert!(heard().await);
    assert!(wakes_in_a_while().await > 0, "a script that had rested");
    while wakes_in_a_while().await > 0 {}
}

#[tokio::test]
async fn shutting_down_a_stuck_host_waits_no_longer_than_its_bound() {
    let (world, release) = stuck_world(beside(World::new()).await);
    world.loads("culprit", STUCK).await;
    remark(&world.kernel, "get stuck");
    until("the note", || async { !world.terminal.notes.lock().unwrap().is_empty() }).await;
    world.host.shutdown(Duration::from_millis(20));
    assert!(!world.host.has_started());
    drop(release);
}
