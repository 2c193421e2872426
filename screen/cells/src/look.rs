//! How a piece of text is to look, by its role. A theme makes colours of roles; layout never does,
//! so that a change of theme lays nothing out anew.

macro_rules! roles {
    ($($(#[doc = $doc:literal])+ $name:ident = $wire:literal,)+) => {
        /// What a piece of text is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Role {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Role {
            /// All roles, in the order of the theme's documentation.
            pub const ALL: &[Role] = &[$(Role::$name),+];

            /// The role's name in themes.
            pub fn name(self) -> &'static str {
                match self {
                    $(Role::$name => $wire,)+
                }
            }

            /// What the role is for, in words.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Role::$name => concat!($($doc),+).trim_ascii(),)+
                }
            }
        }
    };
}

roles! {
    /// Anything that has no other role.
    Text = "text",
    /// What the person said.
    User = "user",
    /// What the model said.
    Assistant = "assistant",
    /// The model's reasoning.
    Thinking = "thinking",
    /// A tool and what it was called with.
    Tool = "tool",
    /// What a tool gave.
    Output = "output",
    /// Something failed.
    Error = "error",
    /// Something needs attention.
    Warning = "warning",
    /// Something went well.
    Success = "success",
    /// Of less importance.
    Dim = "dim",
    /// Of more importance; what can be acted on.
    Accent = "accent",
    /// The status row.
    Status = "status",
    /// Lines around and between things.
    Border = "border",
    /// A heading.
    Heading = "heading",
    /// Code within a line.
    Code = "code",
    /// A block of code.
    CodeBlock = "code-block",
    /// A quotation.
    Quote = "quote",
    /// The target of a link.
    Link = "link",
    /// A line that was added.
    Added = "added",
    /// A line that was removed.
    Removed = "removed",
    /// Code: a word of the language.
    Keyword = "keyword",
    /// Code: a function's name.
    Function = "function",
    /// Code: a type's name.
    Type = "type",
    /// Code: a text.
    String = "string",
    /// Code: a number.
    Number = "number",
    /// Code: a comment.
    Comment = "comment",
    /// Code: a constant.
    Constant = "constant",
    /// Code: an operator.
    Operator = "operator",
    /// Code: an attribute or a property.
    Attribute = "attribute",
    /// Code: a tag of markup.
    Tag = "tag",
    /// What is chosen in a list, or marked with the mouse.
    Selection = "selection",
    /// What a search found.
    Match = "match",
    /// The finding that the search stands at.
    CurrentMatch = "current-match",
}

#[expect(clippy::derivable_impls, reason = "to the macro all roles are alike")]
impl Default for Role {
    fn default() -> Role {
        Role::Text
    }
}

/// A role, and how its text stands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Look {
    /// What it is.
    pub role: Role,
    flags: u8,
}

impl Look {
    const BOLD: u8 = 1;
    const ITALIC: u8 = 2;
    const UNDERLINED: u8 = 4;
    const STRUCK: u8 = 8;
    const DECORATION: u8 = 16;

    /// A role without anything else.
    pub const fn of(role: Role) -> Look {
        Look { role, flags: 0 }
    }

    const fn with(self, flag: u8) -> Look {
        Look { role: self.role, flags: self.flags | flag }
    }

    /// The same in another role.
    pub const fn in_role(self, role: Role) -> Look {
        Look { role, flags: self.flags }
    }

    /// The same in bold.
    pub const fn bold(self) -> Look {
        self.with(Look::BOLD)
    }

    /// The same in italics.
    pub const fn italic(self) -> Look {
        self.with(Look::ITALIC)
    }

    /// The same, underlined.
    pub const fn underlined(self) -> Look {
        self.with(Look::UNDERLINED)
    }

    /// The same, struck through.
    pub const fn struck(self) -> Look {
        self.with(Look::STRUCK)
    }

    /// The same as a decoration: drawn, and left out where text is copied.
    pub const fn decoration(self) -> Look {
        self.with(Look::DECORATION)
    }

    /// Whether it is bold.
    pub const fn is_bold(self) -> bool {
        self.flags & Look::BOLD != 0
    }

    /// Whether it is in italics.
    pub const fn is_italic(self) -> bool {
        self.flags & Look::ITALIC != 0
    }

    /// Whether it is underlined.
    pub const fn is_underlined(self) -> bool {
        self.flags & Look::UNDERLINED != 0
    }

    /// Whether it is struck through.
    pub const fn is_struck(self) -> bool {
        self.flags & Look::STRUCK != 0
    }

    /// Whether it is a decoration.
    pub const fn is_decoration(self) -> bool {
        self.flags & Look::DECORATION != 0
    }
}

impl From<Role> for Look {
    fn from(role: Role) -> Look {
        Look::of(role)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn roles_have_names_of_their_own_and_words_for_them() {
        let names: HashSet<&str> = Role::ALL.iter().map(|role| role.name()).collect();
        assert_eq!(names.len(), Role::ALL.len());
        assert!(Role::ALL.iter().all(|role| role.meaning().ends_with('.')));
    }

    #[test]
    fn what_stands_out_survives_a_change_of_role() {
        let look = Look::of(Role::Text).bold().struck().in_role(Role::Link);
        assert!(look.is_bold() && look.is_struck() && !look.is_italic());
        assert_eq!(look.role, Role::Link);
    }
}
