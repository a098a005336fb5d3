#!/bin/sh
# What action.yml runs, in the repository that has the client among its packages. FILES is a pattern.
set -eu
if [ "$COMMAND" = apply ]; then exec npx --no -- dynamic-links apply --yes $FILES; fi

folder=$(mktemp -d)
status=0
npx --no -- dynamic-links plan $FILES > "$folder/plan" || status=$?
# GitHub takes no longer comment.
{ echo '```diff'; head -c 60000 "$folder/plan"; echo '```'; } > "$folder/comment.md"
gh pr comment "$PULL_REQUEST" --edit-last --create-if-none --body-file "$folder/comment.md"
# 2 says that there is something to do or refused, which the comment shows.
test "$status" -ne 1
