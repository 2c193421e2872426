//! `/docs`: the contract's reference.

use crate::{Call, Definition, offer};
use fen_contract::doc::{Section, entries, find};
use fen_contract::failure::Failure;
use fen_contract::reference::{entry_page, overview, section_page};
use fen_contract::validate::nearest_name;

pub(crate) fn commands() -> Vec<Definition> {
    vec![Definition {
        name: "docs",
        usage: "[section [name]]",
        description: "Show the reference of types, events, kinds and interfaces",
        idle_only: false,
        run: |call| Box::pin(async move { docs(&call) }),
        complete: |_api, prefix| {
            let names = Section::ALL.iter().map(|section| section.name());
            names.filter(|name| name.starts_with(prefix)).map(offer).collect()
        },
    }]
}

fn docs(call: &Call<'_>) -> Result<(), Failure> {
    let mut words = call.arguments.split_whitespace();
    let page = match (words.next(), words.next()) {
        (None, _) => overview(),
        (Some(section), name) => {
            let section = Section::from_name(section).ok_or_else(|| {
                let names: Vec<&str> = Section::ALL.iter().map(|section| section.name()).collect();
                Failure::caller(format!(
                    "there is no section `{section}`; there are {}",
                    names.join(", ")
                ))
            })?;
            match name {
                None => section_page(section),
                Some(name) => entry_page(find(section, name).ok_or_else(|| {
                    let names = entries().filter(|e| e.section == section).map(|e| e.name);
                    let hint = nearest_name(name, names)
                        .map(|near| format!("; did you mean `{near}`?"))
                        .unwrap_or_default();
                    Failure::caller(format!(
                        "there is no `{name}` among the {}{hint}",
                        section.name()
                    ))
                })?),
            }
        }
    };
    call.say(page.trim_end())
}
