//! Macros of an extension's own.

use super::{folder, giving, single};
use crate::beside::{beside, good_works};
use crate::kit::World;
use std::time::{Duration, Instant};

const TWICE: &str = "(fn twice [form]\n  `(do ,form ,form))\n{: twice}";

#[tokio::test]
async fn macros_come_from_files_beside_it() {
    for file in ["lib/m.fnl", "lib/m.fnlm", "lib/m/init-macros.fnl", "lib/m/init.fnlm"] {
        let world = World::new();
        let init = format!(
            "(import-macros {{: twice}} :lib.m)\n(var n 0)\n(twice (set n (+ n 21)))\n{}",
            giving("n")
        );
        let program = folder("pack", &[("init.fnl", &init), (file, TWICE)]);
        world.host.load(program).await.unwrap_or_else(|failure| panic!("{file}: {failure}"));
        assert_eq!(world.seen("pack").await, 42);
    }
}

#[tokio::test]
async fn mistakes_in_macros_name_their_own_file() {
    let init = "(import-macros {: twice} :m)\n(fn [_] (twice 1))";
    for (macros, wanted) in [
        ("(fn twice [x]\n  `(do ,y ,x))\n{: twice}", "pack/m.fnl:2:"),
        ("(fn twice [x]\n  (error :never))\n{: twice}", "pack/init.fnl:2:9: "),
    ] {
        let program = folder("pack", &[("init.fnl", init), ("m.fnl", macros)]);
        let said = World::new().host.load(program).await.unwrap_err().message;
        assert!(said.starts_with(wanted), "{said}");
    }
    let said = World::new().host.load(single("alone", init)).await.unwrap_err().message;
    assert!(said.starts_with("alone.fnl:1:"), "{said}");
}

#[tokio::test]
async fn macros_that_import_one_another_end_in_an_error() {
    let program = folder(
        "pack",
        &[
            ("init.fnl", "(import-macros {: a} :a)\n(fn [_] (a))"),
            ("a.fnl", "(import-macros {: b} :b)\n{:a (fn [] (b))}"),
            ("b.fnl", "(import-macros {: a} :a)\n{:b (fn [] (a))}"),
        ],
    );
    let said = World::new().host.load(program).await.unwrap_err().message;
    assert!(said.contains("pack/b.fnl:1:"), "{said}");
}

#[tokio::test]
async fn a_macro_that_never_ends_ends_in_an_error_and_the_others_live() {
    let world = beside(World::new()).await;
    for source in [
        "(macro forever [] (while true nil))\n(forever)\n#nil",
        "(macro forever [] (forever2))\n(macro again [] `(again))\n(again)\n#nil",
        "(macro grow [] (var t \"x\") (while true (set t (.. t t))))\n(grow)\n#nil",
        "(macro caught [] (while true (pcall (fn [] (while true nil)))))\n(caught)\n#nil",
    ] {
        let began = Instant::now();
        let said = world.host.load(single("bad", source)).await.unwrap_err().message;
        assert!(said.starts_with("bad.fnl:"), "{said}");
        assert!(began.elapsed() < Duration::from_secs(8), "{source}: {:?}", began.elapsed());
        good_works(&world.kernel, "a hostile macro").await;
    }
}

#[tokio::test]
async fn what_a_macro_prints_is_logged() {
    let world = World::new();
    let source = "(macro say [] (print \"from the macro\") nil)\n(say)\n(fn [_] nil)";
    world.host.load(single("printer", source)).await.unwrap();
    let logs = world.kernel.list("logs").unwrap();
    assert!(logs.iter().any(|row| row["message"] == "from the macro"), "{logs:?}");
}
