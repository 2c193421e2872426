//! Which kind a failure is, from a status, a code, and where both say too little, a text.

use super::ErrorText;
use crate::overflow::is_overflow;
use fen_contract::types::ErrorKind;

/// The kind of an answer with this status.
pub(super) fn kind_of_status(status: u16, text: &ErrorText) -> ErrorKind {
    let told = kind_of_words(text);
    match status {
        401 => ErrorKind::Auth,
        403 if told == Some(ErrorKind::Refused) => ErrorKind::Refused,
        403 => ErrorKind::Auth,
        402 => ErrorKind::Refused,
        429 => match told {
            Some(kind @ (ErrorKind::Refused | ErrorKind::Overflow)) => kind,
            _ => ErrorKind::RateLimit,
        },
        501 | 505 => ErrorKind::InvalidRequest,
        // Some servers report a full window, and little else, as a fault of their own.
        500 if told == Some(ErrorKind::Overflow) => ErrorKind::Overflow,
        408 | 425 | 500.. => ErrorKind::Overloaded,
        _ => match told {
            Some(kind @ (ErrorKind::Refused | ErrorKind::Overflow)) => kind,
            _ => ErrorKind::InvalidRequest,
        },
    }
}

/// The kind that an error inside an answer tells by its code, which may be an HTTP status.
pub(super) fn kind_of_code(text: &ErrorText) -> Option<ErrorKind> {
    if let Some(status) = text.status {
        return Some(kind_of_status(status, text));
    }
    kind_of_words(text)
}

fn kind_of_words(text: &ErrorText) -> Option<ErrorKind> {
    let words = [text.code.as_str(), text.kind.as_str()];
    let any =
        |marks: &[&str]| words.iter().any(|word| marks.iter().any(|mark| word.contains(mark)));
    if is_overflow(&text.message) || words.iter().any(|word| is_overflow(word)) {
        return Some(ErrorKind::Overflow);
    }
    let table: [(&[&str], ErrorKind); 6] = [
        (
            &[
                "insufficient_quota",
                "insufficient_balance",
                "billing",
                "payment_required",
                "content_filter",
                "content_policy",
                "moderation",
                "refus",
            ],
            ErrorKind::Refused,
        ),
        (&["auth", "permission", "invalid_api_key", "unauthorized", "forbidden"], ErrorKind::Auth),
        (&["rate_limit", "too_many_requests"], ErrorKind::RateLimit),
        (
            &[
                "overloaded",
                "server_error",
                "internal",
                "unavailable",
                "timeout",
                "api_error",
                "bad_gateway",
                "upstream",
            ],
            ErrorKind::Overloaded,
        ),
        (&["request_too_large"], ErrorKind::InvalidRequest),
        (&["invalid", "not_found", "unsupported", "unprocessable"], ErrorKind::InvalidRequest),
    ];
    let found = table.iter().find(|(marks, _)| any(marks)).map(|(_, kind)| *kind);
    found.or_else(|| {
        let said = text.message.to_lowercase();
        let quota =
            ["insufficient balance", "exceeded your current quota", "credit balance is too low"];
        quota.iter().any(|mark| said.contains(mark)).then_some(ErrorKind::Refused)
    })
}
