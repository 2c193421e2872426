//! Which languages there are: their names, what else they are called, and the files they are in.
//!
//! Owns the one table that a new language is added to. Aliases hold other names and file extensions
//! alike, since people write either after the fence.

use std::ffi::OsStr;
use std::path::Path;

use crate::code::dialects as table;
use crate::grammar::Grammar;

/// A longer name is no language's.
const MAX_NAME: usize = 40;

pub(crate) struct Language {
    name: &'static str,
    /// Other names and extensions, in lower case, with blanks between.
    aliases: &'static str,
    /// Names of whole files, in lower case.
    files: &'static str,
    pub(crate) grammar: Grammar,
}

pub(crate) fn find(name: &str) -> Option<&'static Language> {
    if name.is_empty() || name.len() > MAX_NAME {
        return None;
    }
    let name = name.to_ascii_lowercase();
    LANGUAGES
        .iter()
        .find(|language| language.name == name)
        .or_else(|| LANGUAGES.iter().find(|language| lists(language.aliases, &name)))
}

/// The language of a file, told by its name; nothing if it is not known.
///
/// The name that comes back is one for [`Highlighter::block`](crate::Highlighter::block).
pub fn language_of_path(path: &Path) -> Option<&'static str> {
    let name = path.file_name().and_then(OsStr::to_str)?;
    if name.len() > 255 {
        return None;
    }
    let name = name.to_ascii_lowercase();
    let whole = LANGUAGES.iter().find(|language| lists(language.files, &name));
    let found = whole.or_else(|| {
        if name.starts_with("dockerfile.") || name.starts_with("containerfile.") {
            return find("dockerfile");
        }
        if name.starts_with(".env.") {
            return find("dotenv");
        }
        let (stem, extension) = name.rsplit_once('.')?;
        match extension {
            // What is in front says what a template or an example makes.
            "in" | "tmpl" | "template" | "example" | "sample" | "bak" | "orig" | "dist" => {
                find(stem.rsplit_once('.')?.1)
            }
            _ => find(extension),
        }
    });
    found.map(|language| language.name)
}

/// The language that the line after a fence names: `rust,ignore`, `{.python}`, `js title="x"`,
/// `src/main.rs`; nothing if it is not known.
///
/// The name that comes back is one for [`Highlighter::block`](crate::Highlighter::block).
pub fn language_of_info(info: &str) -> Option<&'static str> {
    let first = info
        .trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '{' | '.'))
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '{' | '}'))
        .next()?;
    let first = first.strip_prefix("language-").or(first.strip_prefix("lang-")).unwrap_or(first);
    let of = |name: &str| find(name).map(|language| language.name);
    of(first)
        // `rust:src/main.rs`, `python=`
        .or_else(|| of(first.split([':', '=']).next()?))
        .or_else(|| language_of_path(Path::new(first)))
}

/// The names of all languages, without their aliases.
pub fn languages() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().map(|language| language.name)
}

fn lists(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|one| one == word)
}

const fn language(
    name: &'static str,
    aliases: &'static str,
    files: &'static str,
    grammar: Grammar,
) -> Language {
    Language { name, aliases, files, grammar }
}

const fn code(
    name: &'static str,
    aliases: &'static str,
    dialect: &'static crate::code::Dialect,
) -> Language {
    language(name, aliases, "", Grammar::Code(dialect))
}

#[rustfmt::skip]
static LANGUAGES: &[Language] = &[
    code("assembly", "asm nasm s x86asm armasm", &table::ASSEMBLY),
    code("awk", "gawk", &table::AWK),
    code("batch", "bat cmd dosbatch", &table::BATCH),
    code("c", "h", &table::C),
    code("clojure", "clj cljs cljc edn bb", &table::CLOJURE),
    code("cpp", "c++ cc cxx hpp hh hxx h++ inl ipp ino arduino cu cuh cuda glsl vert frag comp hlsl metal", &table::CPP),
    code("csharp", "c# cs csx razor", &table::C_SHARP),
    code("d", "di dlang", &table::D),
    code("dart", "", &table::DART),
    code("dot", "gv graphviz", &table::DOT),
    code("ebnf", "abnf bnf peg pest", &table::GRAMMAR),
    code("elixir", "ex exs heex", &table::ELIXIR),
    code("elm", "purescript purs", &table::ELM),
    code("erlang", "erl hrl", &table::ERLANG),
    code("fennel", "fnl fnlm", &table::FENNEL),
    code("fortran", "f f77 f90 f95 f03 f08 for", &table::FORTRAN),
    code("fsharp", "f# fs fsi fsx", &table::F_SHARP),
    code("gdscript", "gd godot", &table::GDSCRIPT),
    code("gleam", "", &table::GLEAM),
    language("go", "golang", "", Grammar::Code(&table::GO)),
    language("gomod", "go.mod go.sum go.work", "go.mod go.work", Grammar::Code(&table::GO)),
    code("graphql", "gql", &table::GRAPHQL),
    language("groovy", "gradle gvy", "jenkinsfile", Grammar::Code(&table::GROOVY)),
    code("haskell", "hs lhs hsc cabal idris idr agda", &table::HASKELL),
    code("hcl", "terraform tf tfvars nomad", &table::HCL),
    code("java", "", &table::JAVA),
    code("javascript", "js jsx mjs cjs node es6 ecmascript javascriptreact", &table::JAVASCRIPT),
    language("json", "jsonc json5 jsonl ndjson geojson webmanifest ipynb avsc har",
        ".prettierrc .eslintrc .babelrc .swcrc composer.lock flake.lock deno.lock", Grammar::Code(&table::JSON)),
    code("julia", "jl", &table::JULIA),
    code("kotlin", "kt kts", &table::KOTLIN),
    language("lisp", "cl clisp commonlisp common-lisp el elisp emacs-lisp emacslisp scheme scm ss racket rkt janet hy lsp",
        ".emacs", Grammar::Code(&table::LISP)),
    language("lua", "luau rockspec", ".luacheckrc", Grammar::Code(&table::LUA)),
    code("mermaid", "mmd", &table::MERMAID),
    language("nginx", "nginxconf caddy caddyfile", "nginx.conf caddyfile", Grammar::Code(&table::NGINX)),
    code("nim", "nims nimble", &table::NIM),
    code("nix", "", &table::NIX),
    code("objective-c", "objc objectivec obj-c m mm objective-c++ objc++", &table::OBJECTIVE_C),
    code("ocaml", "ml mli sml reason re rei standard-ml", &table::OCAML),
    code("pascal", "pas delphi dpr objectpascal", &table::PASCAL),
    code("perl", "pl pm perl5 raku t", &table::PERL),
    code("php", "php3 php4 php5 php7 php8 phtml", &table::PHP),
    language("powershell", "ps ps1 psm1 psd1 pwsh posh", "", Grammar::Code(&table::POWERSHELL)),
    code("protobuf", "proto proto3 protobuffer", &table::PROTOBUF),
    language("python", "py py3 python3 python2 pyi pyw pyx starlark bzl bazel sage gyp ipython",
        "build build.bazel workspace sconstruct sconscript snakefile wscript tiltfile", Grammar::Code(&table::PYTHON)),
    code("r", "rscript rlang", &table::R_LANGUAGE),
    language("ruby", "rb rake gemspec erb crystal cr podspec jruby",
        "gemfile rakefile vagrantfile brewfile podfile fastfile guardfile capfile", Grammar::Code(&table::RUBY)),
    code("rust", "rs ron rust-script", &table::RUST),
    code("scala", "sbt sc", &table::SCALA),
    code("solidity", "sol", &table::SOLIDITY),
    code("sql", "mysql pgsql postgres postgresql plsql sqlite sqlite3 tsql ddl psql", &table::SQL),
    code("swift", "", &table::SWIFT),
    code("tcl", "expect", &table::TCL),
    code("tex", "latex ltx sty cls bib bibtex", &table::TEX),
    language("tsx", "typescriptreact", "", Grammar::Code(&table::JAVASCRIPT)),
    code("typescript", "ts mts cts deno", &table::TYPESCRIPT),
    language("vim", "viml vimscript vimrc", ".vimrc .gvimrc", Grammar::Code(&table::VIM)),
    code("visualbasic", "vb vba vbnet vbs vb.net vbscript basic", &table::VISUAL_BASIC),
    code("wgsl", "", &table::WGSL),
    code("zig", "zon", &table::ZIG),

    language("cmake", "", "cmakelists.txt", Grammar::Code(&table::CMAKE)),
    language("dotenv", "env", ".env .envrc", Grammar::Code(&table::ENVIRONMENT)),
    language("ini", "cfg conf config properties desktop service socket timer mount editorconfig gitconfig systemd",
        ".editorconfig .gitconfig .gitmodules .npmrc .pypirc .flake8 pylintrc .hgrc", Grammar::Code(&table::INI)),
    language("toml", "", "cargo.lock poetry.lock uv.lock pipfile pdm.lock gopkg.lock", Grammar::Code(&table::TOML)),

    language("bash", "sh zsh ksh dash ash fish shell shellscript bats csh tcsh nu nushell elvish ebuild apkbuild",
        ".bashrc .bash_profile .bash_aliases .bash_logout .profile .zshrc .zprofile .zshenv .zlogin .kshrc \
         .inputrc pkgbuild apkbuild config.fish", Grammar::Shell),
    language("console", "shell-session shellsession sh-session bash-session terminal session", "", Grammar::Console),
    language("css", "scss less sass pcss postcss styl", "", Grammar::Styles),
    language("diff", "patch udiff", "", Grammar::Diff),
    language("dockerfile", "docker containerfile", "dockerfile containerfile", Grammar::Docker),
    language("html", "htm xhtml vue svelte astro xml xsd xsl xslt svg rss atom plist html5 jinja jinja2 j2 twig \
        handlebars hbs mustache liquid ejs jsp aspx cshtml xaml csproj fsproj vbproj sln props targets nuspec pom \
        wsdl opml rng gpx kml", "pom.xml", Grammar::Markup),
    language("makefile", "make mk mak gnumakefile just justfile gmake",
        "makefile gnumakefile justfile .justfile kbuild", Grammar::Make),
    language("markdown", "md mdown mkd mkdn mdx rmd qmd gfm commonmark", "readme changelog", Grammar::Markdown),
    language("yaml", "yml clang-format docker-compose eyaml",
        ".clang-format .clang-tidy .yamllint .gemrc", Grammar::Yaml),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_alias_or_file_is_there_twice_or_out_of_reach() {
        let mut names = std::collections::HashSet::new();
        let mut files = std::collections::HashSet::new();
        for language in LANGUAGES {
            for name in language.aliases.split_ascii_whitespace().chain([language.name]) {
                assert!(names.insert(name), "{name} is there twice");
                assert_eq!(name, name.to_ascii_lowercase());
                assert!(name.len() <= MAX_NAME, "{name}");
                assert_eq!(find(name).map(|found| found.name), Some(language.name));
            }
            for file in language.files.split_ascii_whitespace() {
                assert!(files.insert(file), "{file} is there twice");
                assert_eq!(language_of_path(Path::new(file)), Some(language.name), "{file}");
            }
        }
    }
}
