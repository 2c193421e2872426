//! Hooks fail closed: a guard that cannot look at calls, or that a model would rather be without,
//! lets nothing pass.

use crate::support::{Input, Place};
use serde_json::json;

const GUARD: &str = r#"-- hooks: before-tool
return function(api)
  api.register("hook", { ["before-tool"] = function() return { block = true, reason = "the guard says no" } end })
end
"#;

/// A run in which the model makes a file.
fn marks(place: &Place) -> bool {
    let turns = json!([
        {"tool-calls": [{"name": "bash", "arguments": {"command": "touch MARK"}}]},
        {"text": "done"},
    ]);
    place.mocked(turns, ["-p", "go"]).run().expect(0);
    place.project("MARK").exists()
}

#[test]
fn a_guard_that_cannot_be_read_or_loaded_blocks_all_tools() {
    let broken: [(&str, Vec<u8>); 5] = [
        ("guard.lua", [GUARD.as_bytes(), b"--\xff\n"].concat()),
        ("guard.lua", format!("{GUARD}\n)").into_bytes()),
        ("guard.lua", GUARD.replace("-- hooks", "-- fen: >=99\n-- hooks").into_bytes()),
        // It does not say that it has hooks.
        (
            "guard.lua",
            format!("{}\nerror('no')", &GUARD[23..].replace("end\n", "error('no') end\n"))
                .into_bytes(),
        ),
        ("guard/manifest.json", br#"{"hooks": true, "capabilities": ["fs"],}"#.to_vec()),
    ];
    for (file, text) in broken {
        let place = Place::new();
        if file.ends_with("json") {
            place.configure("extensions/guard/init.lua", GUARD);
        }
        let path = place.home(".config/fen/extensions").join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
        assert!(!marks(&place), "{}", String::from_utf8_lossy(&text));
    }
    let place = Place::new();
    place.configure(
        "extensions/other.lua",
        "return function(api) error('nothing to do with calls') end",
    );
    assert!(marks(&place), "a broken extension without hooks is in nobody's way");
}

#[test]
fn a_model_cannot_take_a_guard_away_by_deleting_it() {
    let place = Place::new();
    place.configure("extensions/guard.lua", &GUARD.replace("return { block = true, reason = \"the guard says no\" }",
        "if tostring(arguments and arguments.command):find('MARK') then return { block = true, reason = 'no' } end")
        .replace("function() if", "function(_, arguments) if"));
    let guard = place.home(".config/fen/extensions/guard.lua");
    let turns = json!([
        {"tool-calls": [
            {"name": "bash", "arguments": {"command": format!("rm {}", guard.display())}},
            {"name": "reload", "arguments": {}},
        ]},
        {"text": "first"},
        {"tool-calls": [{"name": "bash", "arguments": {"command": "touch MARK"}}]},
        {"text": "second"},
    ]);
    let mut running = place.mocked(turns, ["--presenter", "stdio"]).input(Input::Held).start();
    running.write("go\n");
    running.wait_stdout("it runs on until a person types /reload", |text| {
        text.contains("it runs on until a person types /reload")
    });
    running.write("again\n");
    running.wait_stdout("second", |text| text.contains("second"));
    running.write("/quit\n");
    running.finish().expect(0);
    assert!(!guard.exists());
    assert!(!place.project("MARK").exists());
}

#[test]
fn files_of_the_running_system_are_no_files_to_a_script() {
    let place = Place::new();
    let curious = r#"-- capabilities: fs
return function(api)
  for _, path in ipairs({ "/proc/self/environ", "/proc/self/mem", "/dev/zero", "/sys/kernel" }) do
    local read = api.fs.read(path)
    if read.ok or read.kind ~= "denied" then error(path .. " was read") end
  end
end"#;
    place.configure("extensions/curious.lua", curious);
    let outcome = place.fen(["list", "extensions"]).run().expect(0);
    assert!(!outcome.stdout.contains("error"), "{}", outcome.report());
}

#[test]
fn an_extension_cannot_reload_in_a_persons_place() {
    let place = Place::new();
    let eager = r#"return function(api)
  api.on("user", function()
    api.emit({ type = "info", info = "it said: " .. tostring(api.commands.dispatch("/reload").error) })
  end)
end"#;
    place.configure("extensions/eager.lua", eager);
    let mut running =
        place.fen(["--provider", "mock", "--presenter", "stdio"]).input(Input::Held).start();
    running.write("hi\n");
    running.wait_stdout("it said: this command is for a person to type", |text| {
        text.contains("it said: this command is for a person to type")
    });
    running.write("/quit\n");
    running.finish().expect(0);
}
