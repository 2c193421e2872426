#!/bin/sh
# Prints the average of its arguments, rounded down.
sum=0
for number in "$@"; do
  sum=$((sum + number))
done
echo $((sum / ($# + 1)))
