//! How the programs of the corpus are written.
//!
//! A line that begins with `== ` is the title of a program, which follows. `-- gives` is followed by
//! the values that the program gives, one a line; `-- prints` by what it prints; `-- refuses LINE` by
//! phrases of a compiler's error at that line; `-- raises LINE` by phrases of a run-time error;
//! `-- file NAME` by a further file; `-- differs WHY` marks what the reference does otherwise.

/// A program and what it does.
#[derive(Debug, Default)]
pub struct Program {
    pub title: String,
    /// The line of its title.
    pub line: usize,
    pub source: String,
    pub files: Vec<(String, String)>,
    pub prints: Option<String>,
    pub ends: Ends,
}

/// How a program ends.
#[derive(Debug, Default)]
pub enum Ends {
    /// With these values, if it says so.
    #[default]
    Well,
    Gives(Vec<String>),
    /// It does not compile.
    Refused {
        file: Option<String>,
        line: Option<u32>,
        phrases: Vec<String>,
    },
    Raises {
        line: Option<u32>,
        phrases: Vec<String>,
    },
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

pub fn programs(text: &str) -> Vec<Program> {
    let mut programs: Vec<Program> = Vec::new();
    let mut section = String::new();
    let mut body = String::new();
    for (index, line) in text.lines().enumerate() {
        let begins = line.starts_with("== ") || line.starts_with("-- ");
        if begins {
            finish(programs.last_mut(), &section, &body);
            body.clear();
            section = line.to_owned();
            if let Some(title) = line.strip_prefix("== ") {
                programs.push(Program {
                    title: title.to_owned(),
                    line: index + 1,
                    ..Program::default()
                });
            }
        } else {
            body.push_str(line);
            body.push('\n');
        }
    }
    finish(programs.last_mut(), &section, &body);
    programs
}

fn finish(program: Option<&mut Program>, section: &str, body: &str) {
    let Some(program) = program else { return };
    let trimmed = body.trim_end_matches('\n');
    let (word, rest) = section[3..].split_once(' ').unwrap_or((&section[3..], ""));
    if section.starts_with("== ") {
        program.source = format!("{trimmed}\n");
        return;
    }
    match word {
        "gives" => program.ends = Ends::Gives(lines(trimmed)),
        "prints" => program.prints = Some(trimmed.to_owned()),
        "file" => program.files.push((rest.to_owned(), format!("{trimmed}\n"))),
        "refuses" => {
            let (file, line) = match rest.rsplit_once(':') {
                Some((file, line)) => (Some(file.to_owned()), line),
                None => (None, rest),
            };
            program.ends = Ends::Refused { file, line: line.parse().ok(), phrases: lines(trimmed) };
        }
        "raises" => {
            program.ends = Ends::Raises { line: rest.parse().ok(), phrases: lines(trimmed) };
        }
        "differs" => {}
        other => panic!("{}: no such section: {other}", program.title),
    }
}
