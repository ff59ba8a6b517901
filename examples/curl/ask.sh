#!/bin/sh
# Asks the owner before it ships a build, and waits without a time limit: sh ask.sh 420
# Requires curl, jq, and the variables COUNTERSIGN_URL and COUNTERSIGN_TOKEN.
set -eu
if [ $# -ne 1 ] || [ -z "${COUNTERSIGN_URL-}" ] || [ -z "${COUNTERSIGN_TOKEN-}" ]; then
  echo "Usage: sh ask.sh BUILD, with COUNTERSIGN_URL and COUNTERSIGN_TOKEN set" >&2
  exit 2
fi
question=$(jq -n --arg build "$1" '{
  question: "Ship build \($build)?",
  options: [{id: "ship", label: "Ship now"}, {id: "wait", label: "Wait"}]
}')

# With the same key, a repeated request never asks twice. Each request waits for up to a minute.
ask() {
  curl --silent --show-error --fail-with-body --retry 20 --retry-connrefused --retry-max-time 300 \
    "$COUNTERSIGN_URL/api/approvals?wait=60" \
    --header "Authorization: Bearer $COUNTERSIGN_TOKEN" \
    --header "Content-Type: application/json" \
    --header "Idempotency-Key: ship-$1" \
    --data "$question"
}
field() { printf '%s' "$answer" | jq -r "$1"; }

until answer=$(ask "$1") && [ "$(field .status)" = resolved ]; do
  refused=$(field '[.error // empty, .details[]?.message] | join(": ")')
  [ -z "$refused" ] || { echo "$refused" >&2; exit 1; }
  sleep 1
done

if [ "$(field '.resolution | .resolvedBy == "owner" and .optionId == "ship"')" = true ]; then
  echo "Shipping $1"
else
  echo "Not shipping." "$(field '.resolution | .otherText // .note // empty')"
  exit 1
fi
