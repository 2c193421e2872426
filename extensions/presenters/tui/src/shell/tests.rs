use super::*;
use rustix::process::test_kill_process;

/// Long enough never to be over by itself within a test.
const AGES: &str = "sleep 1000";

async fn outcome(command: &str) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let request = Request::new(command, folder.path(), &[]);
    run(request, &CancelToken::new(), |_| {}).await.unwrap()
}

fn pid(text: &str) -> Pid {
    Pid::from_raw(text.trim().parse().unwrap()).unwrap()
}

/// Waits until a process is gone, or is only waited for.
async fn is_gone(pid: Pid) {
    let stat = format!("/proc/{}/stat", pid.as_raw_nonzero());
    while test_kill_process(pid).is_ok() {
        if std::fs::read_to_string(&stat).is_ok_and(|stat| stat.contains(") Z ")) {
            return;
        }
        sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn the_outputs_come_in_their_order_with_the_code() {
    let outcome = outcome("echo one; echo two >&2; echo three; exit 3").await;
    assert_eq!(outcome.text, "one\ntwo\nthree\n");
    assert_eq!(outcome.end, End::Code(3));
    assert!(!outcome.is_in_background);
}

#[tokio::test]
async fn a_death_by_a_signal_is_told() {
    assert_eq!(outcome("kill -9 $$").await.end, End::Signal(9));
}

#[tokio::test]
async fn it_runs_in_its_folder_without_input_and_without_what_is_hidden() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("here"), "").unwrap();
    // Inherited by all tests of the crate, so one that is always there.
    let hidden = ["HOME".to_owned()];
    let request = Request::new("ls; cat; echo \"[$HOME]\" $TERM", folder.path(), &hidden);
    let outcome = run(request, &CancelToken::new(), |_| {}).await.unwrap();
    assert_eq!(outcome.text, "here\n[] dumb\n");
}

#[tokio::test]
async fn pieces_are_handed_on_before_the_end() {
    let folder = tempfile::tempdir().unwrap();
    // It goes on only once its first words have arrived.
    let command = "echo one; while [ ! -e go ]; do sleep 0.01; done; echo two";
    let go = folder.path().join("go");
    let mut pieces = String::new();
    let request = Request::new(command, folder.path(), &[]);
    let outcome = run(request, &CancelToken::new(), |piece| {
        pieces.push_str(piece);
        std::fs::write(&go, "").unwrap();
    })
    .await
    .unwrap();
    assert_eq!(outcome.text, "one\ntwo\n");
    assert_eq!(pieces, outcome.text);
}

#[tokio::test]
async fn what_the_shell_wrote_last_is_not_lost() {
    for _ in 0..20 {
        let outcome = outcome("seq 1 5000").await;
        assert!(outcome.text.ends_with("\n5000\n"));
        assert_eq!(outcome.text.lines().count(), 5_000);
    }
}

#[tokio::test]
async fn of_a_flood_the_beginning_and_the_end_are_kept() {
    let outcome = outcome("seq 1 200000; echo end").await;
    assert!(outcome.text.starts_with("1\n2\n") && outcome.text.ends_with("\n200000\nend\n"));
    assert!(outcome.text.contains(" left out here]\n"));
    assert!(outcome.text.len() < 66_000);
}

#[tokio::test]
async fn a_background_child_holds_nothing_up_and_lives_on() {
    let outcome = outcome(&format!("{AGES} & echo $!")).await;
    let child = pid(&outcome.text);
    assert!(outcome.is_in_background);
    assert_eq!(outcome.end, End::Code(0));
    test_kill_process(child).unwrap();
    rustix::process::kill_process(child, Signal::KILL).unwrap();
}

#[tokio::test]
async fn a_cancellation_ends_the_whole_group() {
    let folder = tempfile::tempdir().unwrap();
    // Neither the shell nor its child heeds a mild word.
    let command = format!("trap '' TERM; {AGES} & echo $!; wait");
    let cancel = CancelToken::new();
    let request = Request::new(&command, folder.path(), &[]);
    let outcome = run(request, &cancel, |_| cancel.cancel()).await.unwrap();
    assert_eq!(outcome.end, End::Cancelled);
    is_gone(pid(&outcome.text)).await;
}

#[tokio::test]
async fn a_cancelled_command_can_end_well() {
    let folder = tempfile::tempdir().unwrap();
    // Nothing but the shell itself, which would tell of the death of a child.
    let command = "trap 'echo bye; exit' TERM; echo hello; while :; do :; done";
    let cancel = CancelToken::new();
    let request = Request::new(command, folder.path(), &[]);
    let outcome = run(request, &cancel, |_| cancel.cancel()).await.unwrap();
    assert_eq!((outcome.text.as_str(), outcome.end), ("hello\nbye\n", End::Cancelled));
}

#[tokio::test]
async fn the_limit_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    let limit = Duration::from_millis(50);
    let request = Request { limit, ..Request::new(AGES, folder.path(), &[]) };
    let outcome = run(request, &CancelToken::new(), |_| {}).await.unwrap();
    assert_eq!(outcome.end, End::TimedOut);
}

#[tokio::test]
async fn a_dropped_run_ends_its_group() {
    let folder = tempfile::tempdir().unwrap();
    let command = format!("{AGES} & echo $!; wait");
    let mut text = String::new();
    let seen = CancelToken::new();
    {
        let request = Request::new(&command, folder.path(), &[]);
        let never = CancelToken::new();
        let run = run(request, &never, |piece| {
            text.push_str(piece);
            seen.cancel();
        });
        tokio::select! {
            _ = run => panic!("it ended by itself"),
            () = seen.cancelled() => {}
        }
    }
    is_gone(pid(&text)).await;
}

#[tokio::test]
async fn what_cannot_be_started_is_told_with_its_folder() {
    let request = Request::new("true", Path::new("/nowhere"), &[]);
    let error = run(request, &CancelToken::new(), |_| {}).await.unwrap_err().to_string();
    assert!(error.starts_with("the shell could not be started in /nowhere: "), "{error}");
    let request = Request::new("a\0b", Path::new("/"), &[]);
    assert!(run(request, &CancelToken::new(), |_| {}).await.is_err());
}
