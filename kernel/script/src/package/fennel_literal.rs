//! Fennel table literals, read as data: `manifest.fnl`.
//!
//! The compiler's reader gives forms and nothing is compiled, so no macro and no code can run. A
//! table is a list in brackets or an object in braces, as in the other spellings; all else is
//! refused with its place. Called by [`super::field::Format`].

use super::field::{Field, SyntaxError, position};
use super::literal::{DATA, MAX_DEPTH};
use fennel::{Form, Kind};
use serde_json::{Map, Number, Value};

/// Reads a table's fields, each with its line.
///
/// # Errors
/// Text that Fennel cannot read, anything but one table of literals, a key that is no string or
/// stands there twice.
pub(super) fn read_fields(text: &str) -> Result<Vec<Field>, SyntaxError> {
    let parsed = fennel::parse("manifest.fnl", text);
    if let Some(first) = parsed.diagnostics.into_iter().next() {
        let message = match first.help {
            Some(help) => format!("{}; {help}", first.message),
            None => first.message,
        };
        return Err(SyntaxError { line: first.line, column: first.column, message });
    }
    let reader = Reader { text };
    let whole = |message| SyntaxError { line: 1, column: 1, message };
    let [form, rest @ ..] = parsed.forms.as_slice() else {
        return Err(whole(format!("a manifest is one table `{{…}}`; {DATA}")));
    };
    let Some(entries) = form.as_table() else {
        return Err(reader.error(form, format!("a manifest is one table `{{…}}`; {DATA}")));
    };
    if let Some(second) = rest.first() {
        return Err(reader.error(second, format!("nothing may follow the table; {DATA}")));
    }
    let mut fields: Vec<Field> = Vec::new();
    for (key, value) in entries {
        let name = reader.name(key)?;
        if fields.iter().any(|field| field.name == name) {
            return Err(reader.error(key, format!("`{name}` stands here twice")));
        }
        let value = reader.value(value, 1)?;
        fields.push(Field { name, line: key.span.line, value });
    }
    Ok(fields)
}

struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    fn error(&self, form: &Form, message: String) -> SyntaxError {
        let (line, column) = position(self.text, form.span.start as usize);
        SyntaxError { line, column, message }
    }

    fn name(&self, key: &Form) -> Result<String, SyntaxError> {
        match &key.kind {
            Kind::Str(_) => self.string(key),
            _ => {
                Err(self
                    .error(key, "names of fields are strings, written `:name` or \"name\"".into()))
            }
        }
    }

    fn string(&self, form: &Form) -> Result<String, SyntaxError> {
        let bytes = form.as_str_bytes().unwrap_or_default();
        String::from_utf8(bytes.to_vec())
            .map_err(|_| self.error(form, "this string is not UTF-8".to_owned()))
    }

    fn value(&self, form: &Form, depth: usize) -> Result<Value, SyntaxError> {
        if depth >= MAX_DEPTH {
            let message = format!("tables are nested more than {MAX_DEPTH} deep");
            return Err(self.error(form, message));
        }
        match &form.kind {
            Kind::Nil => Ok(Value::Null),
            Kind::Bool(value) => Ok(Value::Bool(*value)),
            Kind::Integer(number) => Ok(Value::from(*number)),
            Kind::Float(number) => Number::from_f64(*number)
                .map(Value::Number)
                .ok_or_else(|| self.error(form, "this number is not finite".to_owned())),
            Kind::Str(_) => self.string(form).map(Value::String),
            Kind::Sequence(items) => items.iter().map(|item| self.value(item, depth + 1)).collect(),
            Kind::Table(entries) => self.object(entries, depth).map(Value::Object),
            Kind::Varg | Kind::Symbol(_) | Kind::List(_) => {
                Err(self.error(form, format!("{} is not a value; {DATA}", form.described())))
            }
        }
    }

    fn object(
        &self,
        entries: &[(Form, Form)],
        depth: usize,
    ) -> Result<Map<String, Value>, SyntaxError> {
        let mut object = Map::new();
        for (key, value) in entries {
            let name = self.name(key)?;
            let value = self.value(value, depth + 1)?;
            if object.insert(name.clone(), value).is_some() {
                return Err(self.error(key, format!("`{name}` stands here twice")));
            }
        }
        Ok(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[track_caller]
    fn refused(text: &str) -> String {
        read_fields(text).unwrap_err().to_string()
    }

    #[test]
    fn a_manifest_reads_as_data_and_its_fields_know_their_lines() {
        let text = "\u{feff};; what it is\n{:name :x ; in between\n :enabled-by-default true\n\n \
                    :capabilities [:fs \"http\"]\n :requires {:programs [:rg] :lua []}\n :limit -3 \
                    :ratio 1.5 :nothing nil}";
        let fields = read_fields(text).unwrap();
        let seen: Vec<_> =
            fields.iter().map(|field| (field.name.as_str(), field.line, &field.value)).collect();
        assert_eq!(
            seen,
            [
                ("name", 2, &json!("x")),
                ("enabled-by-default", 3, &json!(true)),
                ("capabilities", 5, &json!(["fs", "http"])),
                ("requires", 6, &json!({"programs": ["rg"], "lua": []})),
                ("limit", 7, &json!(-3)),
                ("ratio", 7, &json!(1.5)),
                ("nothing", 7, &Value::Null),
            ]
        );
    }

    #[test]
    fn what_would_have_to_run_is_refused_with_its_place() {
        for (text, words) in [
            ("{:name\n   (os.getenv :HOME)}", "2:4: a list is not a value; a manifest is data"),
            ("{:name x}", "1:8: the symbol x is not a value"),
            ("{:name ...}", "1:8: ... is not a value"),
            ("{:name `x}", "1:8: "),
            ("{:a #1}", "1:5: "),
            ("{: name}", "1:4: the symbol name"),
            ("{1 2}", "1:2: names of fields are strings"),
            ("{:a {[] 1}}", "1:6: names of fields are strings"),
            ("{:a 1 :a 2}", "1:7: `a` stands here twice"),
            ("{:a {:b 1 :b 2}}", "1:11: `b` stands here twice"),
            ("{:a 1} {}", "1:8: nothing may follow"),
            ("(macro x [] 1) {:a 1}", "1:1: a manifest is one table"),
            ("[1]", "1:1: a manifest is one table"),
            ("", "1:1: a manifest is one table"),
            ("{:a \"\\xff\"}", "1:5: this string is not UTF-8"),
            ("{:a", "1:"),
        ] {
            let said = refused(text);
            assert!(said.starts_with(words), "{text}: {said}");
        }
        let deep = format!("{{:a {}1{}}}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
        assert!(refused(&deep).contains("nested more than"));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[{}\\[\\]():\"`,# a1.\\-;\n]{0,60}") {
            let _ = read_fields(&text);
        }
    }
}
