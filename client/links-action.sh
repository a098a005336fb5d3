#!/bin/sh
# The script of action.yml. It runs in the repository that has the client among its packages. FILES is a pattern.
set -eu
# The program needs no token, and GitHub's no key.
links() (unset GH_TOKEN; exec npx --no -- dynamic-links "$@")
github() (unset DLS_KEY; exec gh "$@")
# After --, file names can't be options.
if [ "$COMMAND" = apply ]; then links apply --yes -- $FILES; exit; fi

folder=$(mktemp -d)
status=0
links plan -- $FILES > "$folder/plan" 2> "$folder/faults" || status=$?
cat "$folder/plan"
cat "$folder/faults" >&2
# Exit code 2 means that there are changes or refusals, which the comment shows.
test "$status" -ne 1 || mv "$folder/faults" "$folder/plan"

mark='<!-- dynamic-links plan -->'
{
  echo "$mark"
  test "$status" -ne 1 || echo 'The plan failed:'
  echo '```diff'
  # Changed links come before new ones, with their fields. The cut is GitHub's limit for comments.
  LC_ALL=C awk '
    !/^    / { rest = /^[+] create/ }
    { kept[rest, ++count[rest]] = $0 }
    END {
      for (rest = 0; rest < 2; rest++) for (i = 1; i <= count[rest]; i++) {
        size += length(kept[rest, i]) + 1
        if (size > 60000) left++; else print kept[rest, i]
      }
      if (left) print "… and " left " more lines: see the log of this step"
    }' "$folder/plan"
  echo '```'
} > "$folder/comment.md"

comments="repos/{owner}/{repo}/issues"
found=$(github api --paginate "$comments/$PULL_REQUEST/comments" \
  --jq ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$mark\"))) | .id" | tail -n 1)
if [ -n "$found" ]; then
  github api --silent --method PATCH "$comments/comments/$found" --field body=@"$folder/comment.md"
else
  github pr comment "$PULL_REQUEST" --body-file "$folder/comment.md"
fi
test "$status" -ne 1
