#!/usr/bin/env bash
# Starts fen with 20 extensions of 40 lines in Lua, and with the same in Fennel:
# `benches/fennel_start.sh [FEN]`. Needs hyperfine; builds fen with the profile `dist` if none is given.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -gt 0 ]; then
    fen=$(realpath "$1")
else
    cargo build --quiet --profile dist -p fen
    fen=$(realpath "${CARGO_TARGET_DIR:-target}/dist/fen")
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for language in none lua fnl; do
    mkdir -p "$work/$language/config/fen/extensions" "$work/$language/project"
done
for number in $(seq 20); do
    for language in lua fnl; do
        sed "s/NUMBER/$number/g" "benches/start/words.$language" \
            >"$work/$language/config/fen/extensions/words$number.$language"
    done
done
commands=()
for language in none lua fnl; do
    commands+=(-n "$language" "cd $work/$language/project && HOME=$work/$language \
XDG_CONFIG_HOME=$work/$language/config XDG_STATE_HOME=$work/$language/state \
$fen --provider mock -p hi")
done
hyperfine --warmup 10 --runs 100 "${commands[@]}"
