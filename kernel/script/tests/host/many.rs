//! A thousand extensions at once.

use crate::beside::{good_works, remark, until};
use crate::kit::World;
use fen_provider_mock::{Script, Turn};
use serde_json::json;

const MANY: usize = 1000;

#[tokio::test]
async fn a_thousand_extensions_load_work_and_unload() {
    let turns = Script::answer(|request| match request.number {
        0 => Turn::call("tool0", json!({})).and_call("tool999", json!({})),
        _ => Turn::text("done"),
    });
    let world = crate::beside::beside(World::with_script(turns)).await;
    for n in 0..MANY {
        let source = format!(
            "return function(api)\n\
               api.register('tool', {{ name = 'tool{n}', description = 'd', parameters = {{ type = 'object' }},\n\
                 execute = function() return 'work {n}' end }})\n\
               api.on('info', function(e) if e.info == 'all' then api.emit({{ type = 'ext{n}/heard' }}) end end)\n\
             end"
        );
        world.loads(&format!("ext{n}"), &source).await;
    }
    assert_eq!(world.host.instances().await, MANY + 1);
    remark(&world.kernel, "all");
    world.settle().await;
    for n in 0..MANY {
        assert_eq!(world.told(&format!("ext{n}/heard")).len(), 1, "ext{n}");
    }
    world.prompt("work").await;
    assert_eq!(crate::beside::results(&world), ["work 0", "work 999"]);
    good_works(&world.kernel, "a thousand loads").await;

    for n in 0..MANY {
        assert!(world.host.unload(&format!("ext{n}")));
    }
    until("the end of their VMs", || async { world.host.instances().await == 1 }).await;
    assert_eq!(world.host.loaded(), ["good"]);
    assert_eq!(world.kernel.list("tools").unwrap().len(), 1);
    assert!(world.errors().is_empty(), "{:?}", world.errors());
    good_works(&world.kernel, "a thousand unloads").await;
}
