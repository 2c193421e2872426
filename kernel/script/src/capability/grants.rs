//! What an extension's manifest may ask for.

/// One kind of access beyond the extension's own VM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Capability {
    /// Files and folders.
    Fs,
    /// Other programs. Full trust: they can do what the person can.
    Process,
    /// Requests to servers.
    Http,
    /// Environment variables. Full trust: credentials are among them.
    Env,
}

impl Capability {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Capability; 4] =
        [Capability::Fs, Capability::Process, Capability::Http, Capability::Env];

    /// The word that manifests use, which is also the name of the table in `api`.
    pub const fn name(self) -> &'static str {
        match self {
            Capability::Fs => "fs",
            Capability::Process => "process",
            Capability::Http => "http",
            Capability::Env => "env",
        }
    }

    /// The capability that a manifest calls so.
    pub fn named(name: &str) -> Option<Self> {
        Capability::ALL.into_iter().find(|capability| capability.name() == name)
    }
}

/// The capabilities of one extension.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Grants([bool; Capability::ALL.len()]);

impl Grants {
    /// Everything.
    pub fn all() -> Self {
        Capability::ALL.into_iter().collect()
    }

    /// Whether this one is granted.
    pub fn has(&self, capability: Capability) -> bool {
        self.0[capability as usize]
    }
}

impl FromIterator<Capability> for Grants {
    fn from_iter<I: IntoIterator<Item = Capability>>(capabilities: I) -> Self {
        let mut grants = Grants::default();
        for capability in capabilities {
            grants.0[capability as usize] = true;
        }
        grants
    }
}
