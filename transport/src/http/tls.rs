//! Whom TLS trusts, and what is said when it does not.
//!
//! It owns the roots and the wording of refusals. It must never accept what the verifier refused,
//! and never load a certificate before the first request that needs one. The client calls it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{Resumption, WebPkiServerVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, OtherError, RootCertStore};

use super::certificate_name::CertificateName;

/// Whom a client trusts to name a server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Roots {
    /// What the operating system trusts.
    #[default]
    System,
    /// The certificates of these PEM files, and of every file in these folders; nothing else.
    Files {
        /// PEM files, each of which must hold a certificate.
        files: Vec<PathBuf>,
        /// Folders of PEM files; what is not one is passed over.
        folders: Vec<PathBuf>,
    },
}

impl Roots {
    /// Reads `SSL_CERT_FILE` and `SSL_CERT_DIR` (folders separated as in `PATH`) as OpenSSL does:
    /// where one is set, it takes the place of the system's roots. Empty is unset.
    #[must_use]
    pub fn from_env_vars(get: impl Fn(&str) -> Option<String>) -> Self {
        let read = |name| get(name).filter(|value| !value.is_empty());
        let files: Vec<_> = read("SSL_CERT_FILE").map(PathBuf::from).into_iter().collect();
        let folders = read("SSL_CERT_DIR").map(|value| std::env::split_paths(&value).collect());
        let folders: Vec<_> = folders.unwrap_or_default();
        if files.is_empty() && folders.is_empty() {
            Self::System
        } else {
            Self::Files { files, folders }
        }
    }
}

/// A configuration that trusts nobody, for a client that only speaks plain HTTP.
pub(super) fn without_roots() -> Result<ClientConfig, String> {
    let mut config = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    config.resumption = Resumption::disabled();
    Ok(config)
}

/// A configuration that trusts `roots` and offers HTTP/2 before HTTP/1.1.
pub(super) fn trusting(roots: &Roots) -> Result<ClientConfig, String> {
    let provider = provider();
    let verifier: Arc<dyn ServerCertVerifier> = match roots {
        Roots::System => Arc::new(
            rustls_platform_verifier::Verifier::new(Arc::clone(&provider))
                .map_err(|error| format!("the system's certificates: {error}"))?,
        ),
        Roots::Files { files, folders } => {
            let roots = Arc::new(load(files, folders)?);
            WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(&provider))
                .build()
                .map_err(|error| format!("the configured certificates: {error}"))?
        }
    };
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .dangerous() // Rustls' word for any verifier of one's own; this one only adds names.
        .with_custom_certificate_verifier(Arc::new(Naming(verifier)))
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

fn load(files: &[PathBuf], folders: &[PathBuf]) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    for file in files {
        let found = certificates(file)
            .map_err(|error| format!("the certificates in {}: {error}", file.display()))?;
        if roots.add_parsable_certificates(found).0 == 0 {
            return Err(format!("{} holds no usable certificate", file.display()));
        }
    }
    for folder in folders {
        let entries = std::fs::read_dir(folder)
            .map_err(|error| format!("the certificates in {}: {error}", folder.display()))?;
        for entry in entries.flatten() {
            roots.add_parsable_certificates(certificates(&entry.path()).unwrap_or_default());
        }
    }
    if roots.is_empty() {
        return Err("the configured folders hold no certificate; check SSL_CERT_DIR".to_owned());
    }
    Ok(roots)
}

/// How large a file of certificates may be, in bytes; the usual system's has 0.2 MB.
const CERTIFICATE_BYTES: u64 = 32 << 20;

fn certificates(
    file: &Path,
) -> Result<Vec<CertificateDer<'static>>, rustls::pki_types::pem::Error> {
    use rustls::pki_types::pem::Error;
    // A pipe or a device would be read for ever.
    let found = std::fs::metadata(file).map_err(Error::Io)?;
    if !found.is_file() || found.len() > CERTIFICATE_BYTES {
        let words = format!("not a file of at most {CERTIFICATE_BYTES} bytes");
        return Err(Error::Io(std::io::Error::other(words)));
    }
    CertificateDer::pem_file_iter(file)?.collect()
}

/// A refusal together with the names in the refused certificate.
#[derive(Debug, thiserror::Error)]
#[error("{}; {advice}", self.fact())]
pub(super) struct RefusedCertificate {
    name: Option<CertificateName>,
    fault: String,
    advice: &'static str,
}

impl RefusedCertificate {
    fn new(der: &[u8], fault: &CertificateError) -> Self {
        use CertificateError as E;
        let (fault, advice) = match fault {
            E::UnknownIssuer => (
                "its issuer is not trusted here".to_owned(),
                "if that issuer is yours, set SSL_CERT_FILE to its certificate",
            ),
            E::Expired | E::ExpiredContext { .. } => {
                ("it has expired".to_owned(), "check the clock, or tell whoever runs the server")
            }
            E::NotValidYet | E::NotValidYetContext { .. } => {
                ("it is not valid yet".to_owned(), "check the clock")
            }
            E::NotValidForName | E::NotValidForNameContext { .. } => {
                ("it is for another host".to_owned(), "check the address")
            }
            other => (other.to_string(), "check the server's certificate"),
        };
        Self { name: CertificateName::of(der), fault, advice }
    }

    fn fact(&self) -> String {
        match &self.name {
            Some(CertificateName { subject, issuer }) => format!(
                "the certificate `{subject}`, issued by `{issuer}`, was refused: {}",
                self.fault
            ),
            None => format!("the certificate was refused: {}", self.fault),
        }
    }
}

/// Lets another verifier decide, and puts the certificate's names into its refusal.
#[derive(Debug)]
struct Naming(Arc<dyn ServerCertVerifier>);

impl ServerCertVerifier for Naming {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        self.0
            .verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
            .map_err(|error| match error {
                rustls::Error::InvalidCertificate(fault) => {
                    let refused = RefusedCertificate::new(end_entity, &fault);
                    CertificateError::Other(OtherError(Arc::new(refused))).into()
                }
                other => other,
            })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &rustls::DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &rustls::DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<rustls::SignatureScheme> {
        self.0.supported_verify_schemes()
    }

    fn requires_raw_public_keys(&self) -> bool {
        self.0.requires_raw_public_keys()
    }

    fn root_hint_subjects(&self) -> Option<&[rustls::DistinguishedName]> {
        self.0.root_hint_subjects()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_replaces_the_systems_roots() {
        let from = |vars: &'static [(&str, &str)]| {
            Roots::from_env_vars(|n| vars.iter().find(|v| v.0 == n).map(|v| v.1.to_owned()))
        };
        assert_eq!(from(&[]), Roots::System);
        assert_eq!(from(&[("SSL_CERT_FILE", "")]), Roots::System);
        let (files, folders) = (vec!["/ca.pem".into()], Vec::new());
        assert_eq!(from(&[("SSL_CERT_FILE", "/ca.pem")]), Roots::Files { files, folders });
    }

    #[test]
    fn a_missing_or_empty_certificate_file_is_named() {
        let empty = PathBuf::from("/dev/null");
        let missing = PathBuf::from("/nowhere/ca.pem");
        for file in [empty, missing] {
            let roots = Roots::Files { files: vec![file.clone()], folders: Vec::new() };
            let reason = trusting(&roots).unwrap_err();
            assert!(reason.contains(&file.display().to_string()), "{reason}");
        }
    }
}
