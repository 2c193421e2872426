//! Fields of the contract of which more is known than its notation says: which words they take,
//! or what tables.

use fen_contract::doc::Section;

/// Fields of which more is known than the contract's notation says.
pub(super) const PRECISE: &[(Section, &str, &str, &str)] = &[
    (Section::Events, "agent-shutdown", "reason", "fen.ShutdownReason"),
    (Section::Events, "agent-turn-complete", "status", "fen.TurnStatus"),
    (Section::RegisterKinds, "panel", "placement", "fen.Placement"),
    (Section::RegisterKinds, "provider", "models", "fen.ModelInfo[]"),
    (Section::RegisterKinds, "status", "side", "fen.Side"),
    (Section::RegisterKinds, "tool", "exposure", "fen.Exposure"),
    (Section::Types, "AssistantMessage", "error-kind", "fen.ErrorKind"),
    (Section::RegisterKinds, "presenter", "ui", "fen.PresenterUi"),
];

/// The precise type of a field, where there is one.
pub(super) fn precise(section: Section, entry: &str, field: &str) -> Option<&'static str> {
    PRECISE
        .iter()
        .find(|(of, name, at, _)| *of == section && *name == entry && *at == field)
        .map(|(.., ty)| *ty)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fen_contract::doc::find;

    #[test]
    fn precise_types_belong_to_fields_that_exist() {
        for (section, entry, field, _) in PRECISE {
            let entry = find(*section, entry).unwrap();
            assert!(entry.field(field).is_some(), "{}.{field}", entry.name);
        }
    }
}
