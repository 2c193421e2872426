use super::colour::contrast;
use super::*;
use std::path::Path;

/// What is read word for word, unlike lines and marks.
fn is_text(role: Role) -> bool {
    role != Role::Border
}

/// Roles that fill rows on which text of other roles stands.
const GROUNDS: [Role; 5] = [Role::Text, Role::User, Role::CodeBlock, Role::Added, Role::Removed];

/// Roles that stand on the rows of others.
const STANDING: [Role; 16] = [
    Role::Output,
    Role::Dim,
    Role::Accent,
    Role::Code,
    Role::Link,
    Role::Heading,
    Role::Keyword,
    Role::Function,
    Role::Type,
    Role::String,
    Role::Number,
    Role::Comment,
    Role::Constant,
    Role::Operator,
    Role::Attribute,
    Role::Tag,
];

fn built_in(name: &str, depth: Depth) -> std::sync::Arc<Theme> {
    Themes::load(None, depth).0.get(name).unwrap()
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn told(themes: &mut Themes, name: &str) -> String {
    themes.get(name).unwrap_err().to_string()
}

#[test]
fn text_of_the_built_in_themes_can_be_read() {
    let rgb = Color::Rgb;
    for (name, grounds, least) in [
        // What terminals have for a background where the theme states none.
        ("dark", &[rgb(0, 0, 0), rgb(0x28, 0x2c, 0x34)][..], 4.5),
        ("light", &[rgb(0xff, 0xff, 0xff), rgb(0xf0, 0xf0, 0xf0)][..], 4.5),
        ("high-contrast", &[rgb(0, 0, 0)][..], 7.0),
    ] {
        let theme = built_in(name, Depth::True);
        for &ground in grounds {
            for role in Role::ALL.iter().copied().filter(|role| is_text(*role)) {
                let style = theme.style(role.into());
                let Some(fg) = style.fg else { continue };
                let bg = style.bg.or(theme.ground().bg).unwrap_or(ground);
                let ratio = contrast(fg, bg).unwrap();
                assert!(ratio >= least, "{name}: {} has {ratio:.2}", role.name());
            }
            for (below, above) in
                GROUNDS.iter().flat_map(|below| STANDING.map(|above| (*below, above)))
            {
                let Some(fg) = theme.style(above.into()).fg else { continue };
                let bg = theme.background(below).unwrap_or(ground);
                let ratio = contrast(fg, bg).unwrap();
                let names = (above.name(), below.name());
                assert!(ratio >= least, "{name}: {} on {} has {ratio:.2}", names.0, names.1);
            }
        }
    }
}

#[test]
fn high_contrast_leaves_nothing_to_the_terminal() {
    let theme = built_in("high-contrast", Depth::True);
    assert!(theme.ground().fg.is_some() && theme.ground().bg.is_some());
}

#[test]
fn changed_lines_have_backgrounds_where_there_are_colours_enough() {
    for name in ["dark", "light", "high-contrast"] {
        let theme = built_in(name, Depth::True);
        for role in [Role::Added, Role::Removed] {
            assert!(matches!(theme.background(role), Some(Color::Rgb(..))), "{name}");
        }
    }
}

#[test]
fn nothing_depends_on_colour_where_there_is_none() {
    for theme in [built_in("no-colour", Depth::True), built_in("dark", Depth::None)] {
        for role in Role::ALL {
            let style = theme.style((*role).into());
            assert_eq!((style.fg, style.bg), (None, None), "{}", role.name());
        }
        for role in [Role::Selection, Role::Match, Role::CurrentMatch, Role::Accent, Role::User] {
            let style = theme.style(role.into());
            assert_ne!(style, theme.style(Role::Text.into()), "{}", role.name());
        }
        let [chosen, found] = [Role::Selection, Role::Match].map(|role| theme.style(role.into()));
        assert_ne!(chosen, found);
    }
}

#[test]
fn a_choice_is_seen_with_as_few_as_16_colours() {
    for name in ["dark", "light", "high-contrast"] {
        let theme = built_in(name, Depth::Ansi16);
        let chosen = theme.background(Role::Selection);
        let plain = if name == "light" { Color::White } else { Color::Black };
        assert!(chosen.is_some() && chosen != Some(plain), "{name}: {chosen:?}");
    }
}

#[test]
fn only_colours_of_the_depth_are_used() {
    for name in ["dark", "light", "high-contrast"] {
        let theme = built_in(name, Depth::Ansi256);
        for role in Role::ALL {
            let style = theme.style((*role).into());
            for color in [style.fg, style.bg].into_iter().flatten() {
                assert!(!matches!(color, Color::Rgb(..)), "{name}: {}", role.name());
            }
        }
        let theme = built_in(name, Depth::Ansi16);
        let many = |color| matches!(color, Color::Rgb(..) | Color::Indexed(_));
        for role in Role::ALL {
            let style = theme.style((*role).into());
            assert!(![style.fg, style.bg].into_iter().flatten().any(many), "{}", role.name());
        }
    }
}

#[test]
fn what_stands_out_is_added_to_the_role() {
    let theme = built_in("no-colour", Depth::True);
    let style = theme.style(Look::of(Role::Link).bold().italic().struck());
    let all = Modifier::UNDERLINED | Modifier::BOLD | Modifier::ITALIC | Modifier::CROSSED_OUT;
    assert_eq!(style.add_modifier, all);
}

#[test]
fn plain_text_leaves_the_background_of_its_row() {
    let theme = built_in("high-contrast", Depth::True);
    assert_eq!(theme.style(Role::Text.into()).bg, None);
    assert_eq!(theme.background(Role::Text), theme.ground().bg);
    assert_eq!(theme.background(Role::Keyword), None);
}

#[test]
fn the_folders_themes_are_named_after_the_built_in_ones() {
    let folder = folder(&[("mine.json", "{}"), ("dark.json", "{}"), ("notes.txt", ""), (".x", "")]);
    let (themes, problems) = Themes::load(Some(folder.path()), Depth::True);
    assert_eq!(themes.names(), ["dark", "light", "high-contrast", "no-colour", "mine"]);
    assert!(problems.is_empty());
}

#[test]
fn a_theme_of_the_folder_extends_and_replaces() {
    let folder = folder(&[
        ("dark.json", r##"{"name": "dark", "extends": "dark", "colours": {"accent": "#010203"}}"##),
        ("mine.json", r#"{"extends": "dark", "roles": {"user": {"italic": true}}}"#),
    ]);
    let (mut themes, _) = Themes::load(Some(folder.path()), Depth::True);
    for name in ["dark", "mine"] {
        let theme = themes.get(name).unwrap();
        assert_eq!(theme.name, name);
        assert_eq!(theme.style(Role::Accent.into()).fg, Some(Color::Rgb(1, 2, 3)));
        assert_eq!(theme.background(Role::Added), Some(Color::Rgb(0x16, 0x30, 0x1f)));
    }
    let user = themes.get("mine").unwrap().style(Role::User.into());
    assert!(user.add_modifier.contains(Modifier::ITALIC));
}

#[test]
fn a_broken_theme_is_told_with_its_file_and_place_and_is_not_taken() {
    let folder = folder(&[
        ("a.json", r#"{"roles": {"usr": {}}}"#),
        ("b.json", r#"{"name": "c"}"#),
        ("c.json", r#"{"extends": "drak"}"#),
        ("d.json", "{"),
        ("e.json", r#"{"extends": "f"}"#),
        ("f.json", r#"{"extends": "e"}"#),
    ]);
    let (mut themes, _) = Themes::load(Some(folder.path()), Depth::True);
    let file = |name: &str| folder.path().join(name).display().to_string();
    assert_eq!(
        told(&mut themes, "a"),
        format!("{}: roles.usr: there is no role `usr`; did you mean `user`?", file("a.json"))
    );
    assert!(told(&mut themes, "b").ends_with("it is `c`, but the file is that of `b`"));
    assert_eq!(
        told(&mut themes, "c"),
        format!("{}: extends: there is no theme `drak`; did you mean `dark`?", file("c.json"))
    );
    assert!(told(&mut themes, "d").contains("line 1 column 1"));
    assert_eq!(told(&mut themes, "e"), "theme `e`: extends: it stands on itself");
    assert_eq!(told(&mut themes, "../a"), "there is no theme `../a`");
    assert_eq!(themes.problems().len(), 6);
}

#[test]
fn a_chain_of_themes_and_a_file_have_an_end() {
    let mut files: Vec<(String, String)> = (0..20)
        .map(|at| (format!("t{at}.json"), format!(r#"{{"extends": "t{}"}}"#, at + 1)))
        .collect();
    files.push(("huge.json".to_owned(), " ".repeat(300 << 10)));
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = folder(&files);
    let (mut themes, _) = Themes::load(Some(folder.path()), Depth::True);
    assert!(told(&mut themes, "t0").ends_with("more than 8 themes stand on each other"));
    assert!(told(&mut themes, "huge").ends_with("it is larger than 256 KiB"));
}

#[test]
fn a_change_of_a_file_counts_from_the_next_reload() {
    let folder = folder(&[("mine.json", r#"{"roles": {"user": {"bold": true}}}"#)]);
    let (mut themes, _) = Themes::load(Some(folder.path()), Depth::True);
    let first = themes.get("mine").unwrap();
    std::fs::write(folder.path().join("mine.json"), "{}").unwrap();
    assert_eq!(themes.get("mine").unwrap(), first);
    assert!(themes.reload().is_empty());
    assert_ne!(themes.get("mine").unwrap(), first);
}

#[test]
fn no_folder_is_no_problem_and_one_that_is_none_is() {
    let folder = folder(&[("file", "")]);
    assert!(Themes::load(Some(&folder.path().join("none")), Depth::True).1.is_empty());
    let (themes, problems) = Themes::load(Some(&folder.path().join("file")), Depth::True);
    assert_eq!(problems.len(), 1);
    assert_eq!(themes.names().len(), 4);
    assert!(Themes::load(None::<&Path>, Depth::True).1.is_empty());
}

#[test]
fn auto_heeds_the_background_that_the_terminal_tells() {
    for (told, theme) in [
        (None, "dark"),
        (Some("15;0"), "dark"),
        (Some("0;15"), "light"),
        (Some("0;default;7"), "light"),
        (Some("15;default"), "dark"),
        (Some("12;8"), "dark"),
        (Some(""), "dark"),
    ] {
        assert_eq!(Themes::choose(None, told), theme);
        assert_eq!(Themes::choose(Some("auto"), told), theme);
    }
    assert_eq!(Themes::choose(Some("mine"), Some("0;15")), "mine");
}
