#!/bin/sh
# Starts the service, tests it against notes.md, and ends with the exit code of the test.
set -eu
cd "$(dirname "$0")"
port=${1:-8099}
python3 notes.py "$port" &
service=$!
trap 'kill $service' EXIT
until curl -s -o /dev/null "http://127.0.0.1:$port/notes"; do sleep 0.1; done
npx tacet test ../notes.md --url "http://127.0.0.1:$port" --search PT3S --summary
