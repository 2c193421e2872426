//! HTML and XML: tags, attributes, comments, and the code inside `<script>` and `<style>`.

use crate::Token;
use crate::code::{Code, dialects};
use crate::line::{Line, head};
use crate::styles::Styles;

/// The state between lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Markup {
    place: Place,
    /// What the tag that is open will be followed by.
    follows: Option<Inside>,
}

#[derive(Clone, Debug, Default)]
enum Place {
    #[default]
    Text,
    /// Up to this closing mark everything is one thing.
    Until(&'static str, Token),
    /// Inside a tag; a quote that has not ended.
    Tag(Option<char>),
    Inside(Inside),
}

#[derive(Clone, Debug)]
enum Inside {
    Script(Code),
    Style(Styles),
}

impl Markup {
    pub(crate) fn line(&mut self, line: &mut Line<'_>) {
        loop {
            let before = line.position();
            let in_text = matches!(self.place, Place::Text);
            match std::mem::take(&mut self.place) {
                Place::Text => self.text(line),
                Place::Until(mark, token) => {
                    let end = line.rest().find(mark).map(|at| at + mark.len());
                    line.take(end.unwrap_or(line.rest().len()), token);
                    if end.is_none() {
                        self.place = Place::Until(mark, token);
                    }
                }
                Place::Tag(quote) => self.tag(line, quote),
                Place::Inside(inside) => self.inside(line, inside),
            }
            if line.done() {
                return;
            }
            if in_text && line.position() == before {
                line.take_char(Token::Plain);
            }
        }
    }

    fn text(&mut self, line: &mut Line<'_>) {
        line.take_while(Token::Plain, |c| !matches!(c, '<' | '&'));
        let rest = line.rest();
        for (open, close, token) in WHOLE {
            if rest.starts_with(open) {
                line.take(open.len(), *token);
                self.place = Place::Until(close, *token);
                return;
            }
        }
        if let Some(tag) = rest.strip_prefix('<') {
            let slash = usize::from(tag.starts_with('/'));
            let name = head(tag.get(slash..).unwrap_or(""), is_name);
            if name.is_empty() {
                return line.take_char(Token::Plain);
            }
            line.take(1 + slash, Token::Punctuation);
            line.take(name.len(), Token::Tag);
            self.follows = match name {
                _ if slash > 0 => None,
                "script" => Some(Inside::Script(Code::new(&dialects::TYPESCRIPT))),
                "style" => Some(Inside::Style(Styles::default())),
                _ => None,
            };
            self.place = Place::Tag(None);
        } else if rest.starts_with('&') {
            let name = head(rest.get(1..).unwrap_or(""), |c| c.is_alphanumeric() || c == '#');
            let ends = rest.get(1 + name.len()..).is_some_and(|end| end.starts_with(';'));
            if ends && !name.is_empty() {
                line.take(name.len() + 2, Token::Escape);
            } else {
                line.take_char(Token::Plain);
            }
        }
    }

    fn tag(&mut self, line: &mut Line<'_>, quote: Option<char>) {
        self.place = Place::Tag(None);
        if let Some(quote) = quote {
            let end = line.rest().find(quote).map(|at| at + 1);
            line.take(end.unwrap_or(line.rest().len()), Token::String);
            if end.is_none() {
                self.place = Place::Tag(Some(quote));
            }
            return;
        }
        line.blanks();
        match line.peek() {
            None => {}
            Some('>') => {
                line.take_char(Token::Punctuation);
                self.place = self.follows.take().map_or(Place::Text, Place::Inside);
            }
            Some('/' | '?') if line.second() == Some('>') => {
                line.take(2, Token::Punctuation);
                self.follows = None;
                self.place = Place::Text;
            }
            Some(quote @ ('"' | '\'')) => {
                line.take_char(Token::String);
                self.place = Place::Tag(Some(quote));
            }
            Some('=') => {
                line.take_char(Token::Operator);
                let bare = |c: char| !c.is_whitespace() && !"\"'>=<`".contains(c);
                line.take_while(Token::String, bare);
            }
            Some('<') => self.place = Place::Text,
            Some(_) => {
                let name = |c: char| !c.is_whitespace() && !"\"'<>=/?".contains(c);
                if line.take_while(Token::Attribute, name).is_empty() {
                    line.take_char(Token::Plain);
                }
            }
        }
    }

    fn inside(&mut self, line: &mut Line<'_>, mut inside: Inside) {
        let close = match &inside {
            Inside::Script(_) => "</script",
            Inside::Style(_) => "</style",
        };
        let end = line.rest().find(close);
        let len = end.unwrap_or(line.rest().len());
        line.part(len, |part| match &mut inside {
            Inside::Script(code) => code.line(part),
            Inside::Style(styles) => styles.line(part),
        });
        if end.is_none() {
            self.place = Place::Inside(inside);
        }
    }
}

/// What has a mark at both ends and nothing of its own between them.
const WHOLE: &[(&str, &str, Token)] = &[
    ("<!--", "-->", Token::Comment),
    ("<![CDATA[", "]]>", Token::String),
    ("<!", ">", Token::Keyword),
    ("<?", "?>", Token::Keyword),
];

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':')
}
