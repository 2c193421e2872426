#!/usr/bin/env bash
# Compares whole runs of fen with the least that could do the same: `benches/startup.sh`.
# Needs hyperfine and GNU time. Builds what it measures with the profile `dist`.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --quiet --profile dist -p fen
cargo build --quiet --profile dist -p fen-benches --examples
target=${CARGO_TARGET_DIR:-target}/dist
work=$(mktemp -d)
trap 'kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
printf 'fn main() { println!("fen"); }\n' >"$work/empty.rs"
rustc -O -o "$work/empty" "$work/empty.rs"
"$target/examples/model_server" >"$work/url" &
server=$!
while [ ! -s "$work/url" ]; do sleep 0.05; done
url=$(cat "$work/url")
export HOME=$work XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state
cd "$work"
fen="$target/fen"
case $fen in /*) ;; *) fen="$OLDPWD/$fen"; target="$OLDPWD/$target" ;; esac
ask="$fen --provider openai --base-url $url -p"
hyperfine -N --warmup 20 --runs 300 "$work/empty" "$fen --version"
hyperfine -N --warmup 10 --runs 100 \
    "$target/examples/bare_client $url" "$ask hi" "$ask tool"
for command in "$target/examples/bare_client $url" "$ask hi" "$ask tool"; do
    /usr/bin/time -f "%M KiB at most: $command" $command >/dev/null
done
ls -l "$fen"
