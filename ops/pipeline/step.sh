#!/bin/sh
# One step of deploy.yml, in the app's folder: sh step.sh preflight|deploy|smoke|conformance
set -euf
outputs=outputs.json
dls() { npx --no -- dls "$@"; }
field() { node -p 'process.argv.slice(2).reduce((value, name) => value[name], JSON.parse(process.argv[1]))' "$@"; }

case "$1" in
preflight)
  set --
  for setting in $SETTINGS; do set -- "$@" -c "$setting"; done
  dls preflight --stack "$STACK" "$@"
  ;;
deploy)
  npx --no -- cdk deploy ${STACKS:---all} --require-approval never --outputs-file "$outputs"
  ;;
smoke)
  dls smoke --stack "$STACK"
  ;;
conformance)
  # Its links and its key are in a project of their own; the key ends with the step.
  project=conformance
  dls project show "$project" --stack "$STACK" > /dev/null 2>&1 || dls project create "$project" --stack "$STACK"
  made=$(dls key create --project "$project" --scopes links:write,links:delete,apps:write --stack "$STACK" --json)
  id=$(field "$made" keyId)
  trap 'dls key revoke "$id" --stack "$STACK"' EXIT
  dls conformance --api "$(field "$(cat "$outputs")" "$STACK" ApiBaseUrl)" --key "$(field "$made" apiKey)"
  ;;
*)
  echo "There is no step '$1'" >&2
  exit 2
  ;;
esac
