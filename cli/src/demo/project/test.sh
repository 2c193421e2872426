#!/bin/sh
# Fails unless average.sh is right.
cd "$(dirname "$0")" || exit 1
failed=0
check() {
  expected=$1
  shift
  got=$(sh average.sh "$@")
  if [ "$got" = "$expected" ]; then
    echo "ok    average of $*: $got"
  else
    echo "FAIL  average of $*: expected $expected, got $got"
    failed=1
  fi
}
check 4 4
check 3 2 4
check 20 10 20 30
exit $failed
