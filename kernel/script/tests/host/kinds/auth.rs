//! Auth backends.

use crate::kit::World;
use fen_contract::auth::AuthBackend;
use fen_contract::kinds::{Contribution, Kind};
use serde_json::json;
use std::sync::Arc;

fn backend(world: &World, name: &str) -> Arc<dyn AuthBackend> {
    let registry = world.kernel.registry();
    match registry.find(Kind::AuthBackend, name).map(|entry| &entry.contribution) {
        Some(Contribution::AuthBackend(spec)) => spec.backend.clone(),
        _ => panic!("no backend {name}: {:?}", world.errors()),
    }
}

const VAULT: &str = r#"
  local key = "sk-first"
  api.timer.sleep(1)
  api.register("auth-backend", {
    name = "vault",
    ["api-key"] = function() return key end,
    ["login!"] = function(opts) key = opts.key seen.login = opts end,
    logout = function() key = nil end,
    status = function() return key and "logged in" or "logged out" end,
  })
  -- Loading goes on for a while after the registration.
  api.timer.sleep(5)
"#;

#[tokio::test]
async fn a_backend_gives_keys_logs_in_and_out_and_says_how_it_stands() {
    let world = World::new();
    world.watches("keeper", VAULT).await;
    let vault = backend(&world, "vault");
    let key = async || {
        let key = vault.api_key(&"own".into()).await.unwrap();
        key.map(|key| key.reveal().to_owned())
    };
    assert_eq!(key().await.as_deref(), Some("sk-first"));
    assert_eq!(vault.status(), "logged in");
    vault.logout().await.unwrap();
    assert_eq!(key().await, None);
    assert_eq!(vault.status(), "logged out");
    vault.login(json!({"key": "sk-second", "list": []})).await.unwrap();
    assert_eq!(key().await.as_deref(), Some("sk-second"));
    assert_eq!(vault.status(), "logged in");
    assert_eq!(world.seen("keeper").await["login"]["key"], "sk-second");
    let row = &world.kernel.list("auth-backends").unwrap()[0];
    assert_eq!((&row["status"], &row["owner"]), (&json!("logged in"), &json!("keeper")));
}

#[tokio::test]
async fn what_a_backend_lacks_or_refuses_it_says() {
    let world = World::new();
    world
        .watches(
            "keeper",
            r#"api.register("auth-backend", { name = "bare", api_key = function() return 7 end })
               api.register("auth-backend", { name = "strict", api_key = function() error("locked") end,
                 login = function() return { ok = false, error = "wrong password" } end,
                 logout = function() error("stuck") end })"#,
        )
        .await;
    let (bare, strict) = (backend(&world, "bare"), backend(&world, "strict"));
    for (failed, words) in [
        (bare.login(json!({})).await, "`bare` has no login"),
        (bare.logout().await, "`bare` has no logout"),
        (strict.login(json!({})).await, "wrong password"),
        (strict.logout().await, "stuck"),
        (bare.api_key(&"p".into()).await.map(drop), "text or nil"),
        (strict.api_key(&"p".into()).await.map(drop), "locked"),
    ] {
        let failure = failed.unwrap_err();
        assert!(failure.message.contains(words), "{words}: {failure}");
    }
    assert_eq!(bare.status(), "");
}
