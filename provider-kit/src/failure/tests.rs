use super::*;

const SERVICE: Service<'static> = Service {
    provider: "acme",
    url: "https://user:pass@api.acme.dev/v1/chat/completions?key=1",
    credentials: "set ACME_API_KEY or pass --api-key",
    unreachable: "start it with `acme serve`",
    key: None,
};

fn status(status: u16, body: &str) -> CallError {
    let answer = ErrorAnswer {
        status,
        content_type: Some("application/json"),
        retry_after: None,
        body: body.as_bytes(),
    };
    SERVICE.error_status(answer)
}

#[test]
fn statuses_become_the_kinds_that_callers_act_on() {
    use ErrorKind as K;
    let quota =
        r#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#;
    let tpm = r#"{"error":{"message":"Request too large for model on tokens per minute (TPM): Limit 6000","code":"rate_limit_exceeded"}}"#;
    let window = r#"{"error":{"message":"This model's maximum context length is 8192 tokens."}}"#;
    let cases = [
        (400, "{}", K::InvalidRequest),
        (400, window, K::Overflow),
        (413, window, K::Overflow),
        (422, window, K::Overflow),
        (500, window, K::Overflow),
        (401, "{}", K::Auth),
        (403, "{}", K::Auth),
        (403, r#"{"error":{"message":"flagged","code":"moderation"}}"#, K::Refused),
        (400, r#"{"error":{"message":"no","code":"content_filter"}}"#, K::Refused),
        (402, "{}", K::Refused),
        (404, "{}", K::InvalidRequest),
        (408, "{}", K::Overloaded),
        (429, "{}", K::RateLimit),
        (429, tpm, K::RateLimit),
        (429, quota, K::Refused),
        (500, "{}", K::Overloaded),
        (501, "{}", K::InvalidRequest),
        (503, "{}", K::Overloaded),
        (529, "{}", K::Overloaded),
        (307, "", K::InvalidRequest),
    ];
    for (code, body, want) in cases {
        assert_eq!(status(code, body).kind, want, "{code} {body}");
    }
}

#[test]
fn the_services_own_words_are_found_in_every_form() {
    let cases = [
        (r#"{"error":{"message":"bad key"}}"#, "bad key"),
        (r#"{"error":"model not found"}"#, "model not found"),
        (r#"[{"error":{"message":"listed"}}]"#, "listed"),
        (r#"{"object":"error","message":"vllm says","code":400}"#, "vllm says"),
        (r#"{"detail":"plain"}"#, "plain"),
        (r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#, "body: field required"),
        (
            r#"{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","store"],"msg":"Extra inputs are not permitted"}]}}"#,
            "store: Extra inputs are not permitted",
        ),
        (r#"{"type":"error","error":{"type":"x","message":"nested"}}"#, "nested"),
        (
            r#"{"error":{"message":"Provider returned error","metadata":{"raw":"{\"error\":{\"message\":\"inner\"}}"}}}"#,
            "Provider returned error: inner",
        ),
        ("upstream connect error", "upstream connect error"),
    ];
    for (body, want) in cases {
        let message = status(400, body).message;
        assert_eq!(
            message,
            format!("acme (api.acme.dev/v1/chat/completions) answered 400: {want}")
        );
    }
}

#[test]
fn a_page_is_named_and_never_shown() {
    let answer = ErrorAnswer {
        status: 502,
        content_type: Some("text/html"),
        retry_after: Some(Duration::from_secs(3)),
        body: b"<!doctype html><html>gateway</html>",
    };
    let error = SERVICE.error_status(answer);
    assert_eq!(
        error.message,
        "acme (api.acme.dev/v1/chat/completions) answered 502 with text/html"
    );
    assert_eq!(error.into_message(Vec::new()).retry_after_ms, Some(Millis(3000)));
}

#[test]
fn no_key_gets_into_a_message_and_no_text_is_long() {
    let key = Secret::new("verysecret").unwrap();
    let service = Service { key: Some(&key), ..SERVICE };
    let long =
        format!("bad key verysecret sk-proj-abc*****wxyz.\u{1b}[31m\n {}", "x ".repeat(9999));
    let body = serde_json::json!({ "error": { "message": long } }).to_string();
    let answer =
        ErrorAnswer { status: 401, content_type: None, retry_after: None, body: body.as_bytes() };
    let message = service.error_status(answer).message;
    assert!(!message.contains("verysecret") && !message.contains("sk-proj"), "{message}");
    assert!(!message.contains('\u{1b}') && message.len() < 700, "{message}");
    assert!(message.ends_with("set ACME_API_KEY or pass --api-key"), "{message}");
}

#[test]
fn errors_inside_an_answer_tell_their_kind_by_code() {
    use ErrorKind as K;
    let cases = [
        (r#"{"code":502,"message":"upstream limit reached"}"#, K::Overloaded),
        (r#"{"code":"server_error","message":"x"}"#, K::Overloaded),
        (r#"{"code":400,"type":"invalid_request","message":"invalid request"}"#, K::InvalidRequest),
        (r#"{"code":"429","message":"x"}"#, K::RateLimit),
        (r#"{"type":"overloaded_error","message":"x"}"#, K::Overloaded),
        (r#"{"type":"invalid_request_error","message":"prompt is too long: 3 > 2"}"#, K::Overflow),
        (r#"{"type":"authentication_error","message":"x"}"#, K::Auth),
        (r#""just words""#, K::Stall),
    ];
    for (error, want) in cases {
        let text = ErrorText::of_error(&serde_json::from_str(error).unwrap());
        assert_eq!(SERVICE.reported_error(&text, K::Stall).kind, want, "{error}");
    }
}

#[test]
fn transport_errors_keep_whether_a_repetition_can_help() {
    let host = || "h:1".to_owned();
    let reason = || "r".to_owned();
    let kind = |error, begun| SERVICE.transport_error(&error, begun).kind;
    let connect = TransportError::Connect { host: host(), reason: reason() };
    assert!(SERVICE.transport_error(&connect, Begun::No).message.ends_with("`acme serve`"));
    assert_eq!(kind(connect, Begun::No), ErrorKind::Network);
    let closed = TransportError::Closed { host: host(), reason: reason() };
    assert_eq!(kind(closed.clone(), Begun::No), ErrorKind::Network);
    assert_eq!(kind(closed, Begun::Yes), ErrorKind::TruncatedStream);
    let tls = TransportError::Tls { host: host(), reason: reason() };
    assert!(!kind(tls, Begun::No).is_transient());
}

#[test]
fn a_field_that_says_there_is_no_error_is_none() {
    for body in ["{\"error\":null}", "{\"error\":false}", "{\"error\":\"\"}", "{}"] {
        assert_eq!(ErrorText::of_json(&serde_json::from_str(body).unwrap()), None, "{body}");
    }
}
