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
  # An indented line of backquotes doesn't end the block, and a carriage return begins no line.
  LC_ALL=C awk '
    { gsub(/\r/, " ") }
    /^ *```/ { $0 = "    " $0 }
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

# Others may begin a comment with the mark, which the token can't change.
nodes='nodes { url viewerDidAuthor body } pageInfo { hasNextPage endCursor }'
comments="pullRequest(number: \$number) { comments(first: 100, after: \$endCursor) { $nodes } }"
variables='$owner: String!, $name: String!, $number: Int!, $endCursor: String'
found=$(github api --paginate graphql \
  --raw-field query="query($variables) { repository(owner: \$owner, name: \$name) { $comments } }" \
  --field owner='{owner}' --field name='{repo}' --field number="$PULL_REQUEST" \
  --jq ".data[].pullRequest.comments.nodes[] | select(.viewerDidAuthor and (.body | startswith(\"$mark\"))) | .url" |
  tail -n 1)
if [ -n "$found" ]; then
  comment="repos/{owner}/{repo}/issues/comments/${found##*-}"
  github api --silent --method PATCH "$comment" --field body=@"$folder/comment.md"
else
  github pr comment "$PULL_REQUEST" --body-file "$folder/comment.md"
fi
test "$status" -ne 1
