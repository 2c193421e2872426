//! The names in a certificate, for messages only: who it is for and who signed it.
//!
//! A walk over the few DER fields before the subject (RFC 5280, section 4.1). It must never decide
//! about trust; what it cannot read it leaves out.

/// Subject and issuer of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CertificateName {
    /// Whom the certificate is for.
    pub(super) subject: String,
    /// Who signed it.
    pub(super) issuer: String,
}

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const EXPLICIT_VERSION: u8 = 0xA0;
const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];
const ORGANIZATION: &[u8] = &[0x55, 0x04, 0x0A];

impl CertificateName {
    /// Reads the names of a DER certificate, `None` if it is not one.
    pub(super) fn of(der: &[u8]) -> Option<Self> {
        let (_, certificate, _) = element(der)?;
        let (_, fields, _) = element(certificate)?;
        let (tag, _, after_version) = element(fields)?;
        let fields = if tag == EXPLICIT_VERSION { after_version } else { fields };
        let (_, _serial, fields) = element(fields)?;
        let (_, _algorithm, fields) = element(fields)?;
        let (_, issuer, fields) = element(fields)?;
        let (_, _validity, fields) = element(fields)?;
        let (_, subject, _) = element(fields)?;
        Some(Self { subject: name(subject), issuer: name(issuer) })
    }
}

/// Splits the first element off: its tag, its content, what follows.
fn element(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = der.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7F => (usize::from(first), rest),
        0x81..=0x84 => {
            let (bytes, rest) = rest.split_at_checked(usize::from(first & 0x7F))?;
            (bytes.iter().fold(0, |length, byte| (length << 8) | usize::from(*byte)), rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

/// The common name, else the organisation, else words that say there is neither.
fn name(mut parts: &[u8]) -> String {
    let mut organization = None;
    while let Some((tag, part, rest)) = element(parts) {
        parts = rest;
        let Some((SEQUENCE, pair, _)) = element(part).filter(|_| tag == SET) else { continue };
        let Some((_, kind, rest)) = element(pair) else { continue };
        let Some((_, value, _)) = element(rest) else { continue };
        if kind == COMMON_NAME {
            return printable(value);
        }
        if kind == ORGANIZATION {
            organization = Some(printable(value));
        }
    }
    organization.unwrap_or_else(|| "without a name".to_owned())
}

/// A name comes from whoever answered: no control character of it reaches a terminal.
fn printable(value: &[u8]) -> String {
    let text = String::from_utf8_lossy(value);
    text.chars().filter(|c| !c.is_control()).take(100).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn subject_and_issuer_are_read() {
        let key = rcgen::KeyPair::generate().unwrap();
        let named = |names: &[(rcgen::DnType, &str)]| {
            let mut params = rcgen::CertificateParams::default();
            params.distinguished_name = rcgen::DistinguishedName::new();
            for (kind, name) in names {
                params.distinguished_name.push(kind.clone(), *name);
            }
            params
        };
        use rcgen::DnType::{CommonName, CountryName, OrganizationName};
        let issuer = named(&[(CountryName, "SE"), (OrganizationName, "Försök\u{1b}[2J AB")]);
        let issuer = rcgen::Issuer::new(issuer, &key);
        let leaf = named(&[(OrganizationName, "Other"), (CommonName, "api.dev")]);
        let leaf = leaf.signed_by(&key, &issuer).unwrap();
        let name = CertificateName::of(leaf.der()).unwrap();
        assert_eq!(name.subject, "api.dev");
        assert_eq!(name.issuer, "Försök[2J AB");
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = CertificateName::of(&bytes);
        }
    }
}
