//! `--login` with a backend that asks.

use crate::support::{Place, Terminal};

const CLUB: &str = r#"return function(api)
  api.register("auth-backend", {
    name = "club",
    ["api-key"] = function() return "k" end,
    ["login!"] = function()
      local level = api.ui.select({ title = "Which club?", choices = { "red", { label = "blue", value = "b" } } })
      local word = api.ui.prompt({ text = "Password", secret = true })
      if not word then return { ok = false, error = "no password was given" } end
      api.fs.write("in", tostring(level) .. " " .. word)
    end,
  })
end"#;

fn place() -> Place {
    let place = Place::new();
    place.configure("extensions/club/init.lua", CLUB);
    place.configure("extensions/club/manifest.json", r#"{"capabilities": ["fs"]}"#);
    place
}

#[test]
fn a_login_asks_on_the_terminal_and_shows_no_secret() {
    let place = place();
    let mut terminal = Terminal::open(&place.fen(["--login", "club"]), 60);
    terminal.wait_for("Number: ");
    terminal.type_keys("7\r");
    terminal.wait_for("Please answer");
    terminal.type_keys("2\r");
    terminal.wait_for("Password: ");
    terminal.type_keys("canary\r");
    assert_eq!(terminal.code(), 0);
    assert!(!terminal.written().contains("canary"), "{}", terminal.written());
    assert!(terminal.written().contains("club: logged in"));
    assert_eq!(std::fs::read_to_string(place.project("in")).unwrap(), "b canary");
}

#[test]
fn a_login_that_asks_where_nobody_can_answer_fails_with_its_words() {
    let place = place();
    let failed = place.fen(["--login", "club"]).run().expect(1);
    failed.complains(&["nobody can answer", "no password was given"]);
    assert!(!place.project("in").exists());
}
