/** What a visitor sees of a link that doesn't lead anywhere, whatever the reason. */
export const notFoundPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>Link not found</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.1rem/1.5 system-ui, sans-serif }
main { max-width: 26rem; padding: 2rem; text-align: center }
h1 { font-size: 1.6rem; margin: 0 0 .5rem }
p { margin: 0; opacity: .75 }
</style>
</head>
<body>
<main>
<h1>This link doesn’t lead anywhere</h1>
<p>It may have been mistyped, or it is no longer active. Ask whoever shared it for a new one.</p>
</main>
</body>
</html>
`;
