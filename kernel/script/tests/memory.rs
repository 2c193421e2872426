//! What many reloads leave behind in the process. It has a binary of its own, since tests beside it
//! would take memory as well.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a panic is the failure report of a test"
)]

#[path = "host/doubles.rs"]
#[allow(dead_code, reason = "made for other tests as well")]
mod doubles;
#[path = "host/kit.rs"]
#[allow(dead_code, reason = "made for other tests as well")]
mod kit;

use kit::World;

/// One generation: something of each sort that outlives its load.
fn generation(number: usize) -> String {
    format!(
        r#"return function(api)
          api.state.loads = (api.state.loads or 0) + 1
          local filler = {{}}
          for i = 1, 2000 do filler[i] = "generation {number} " .. i end
          api.register("tool", {{
            name = "who", description = "Tells the generation",
            parameters = {{ type = "object", properties = {{}} }},
            execute = function() return filler[1] end,
          }})
          api.register("status", {{ name = "who", render = function() return filler[2] end }})
          api.register("hook", {{ ["before-tool"] = function() return nil end }})
          api.on("*", function(event) filler[3] = event.type end)
          api.prompt(function() return filler[4] end, {{ id = "who" }})
          api.timer.every(10, function() filler[5] = "tick" end)
        end"#
    )
}

fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: usize = statm.split_whitespace().nth(1).unwrap().parse().unwrap();
    pages * 4096
}

async fn until_one_is_left(world: &World) {
    let waiting = async {
        while world.host.instances().await != 1 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(kit::HANG, waiting).await.expect("old VMs stay");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_hundred_reloads_leave_the_process_as_large_as_it_was() {
    const BOUND: usize = 4 << 20;
    let world = World::new();
    let mut after_twenty = 0;
    for number in 1..=120 {
        world.loads("who", &generation(number)).await;
        world.events.lock().unwrap().clear();
        if number == 20 {
            until_one_is_left(&world).await;
            after_twenty = resident();
        }
    }
    until_one_is_left(&world).await;
    let grown = resident().saturating_sub(after_twenty);
    assert!(grown < BOUND, "the process grew by {grown} bytes");
}
