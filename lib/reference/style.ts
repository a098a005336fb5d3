export const languages = ['curl', 'JavaScript', 'Python'] as const;

/** Styles that wrap everything wider than a phone, so that nothing scrolls sideways. */
export const style = `
html { scroll-padding-top: 1rem }
body { display: block; place-items: normal; padding: 1rem; font-size: 1rem; overflow-wrap: anywhere }
main { max-width: 60rem }
p, ul, dl, table, pre { margin: .6rem 0 } p, dd, li { max-width: 72ch } main p { color: inherit }
h2 { margin: 2rem 0 .5rem; font-size: 1.25rem } h3 { margin: 0; font-size: 1.125rem } h4 { margin: 1.25rem 0 .25rem; font-size: 1rem }
small, dt span, th { color: var(--soft); font-weight: 400 }
code, pre { font: .875rem/1.5 ui-monospace, Menlo, Consolas, monospace }
pre { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); white-space: pre-wrap }
table { border-collapse: collapse } th, td { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top } th, td:not(:last-child) { white-space: nowrap }
article { margin: 1rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: .75rem } [hidden], section:not(:has(article:not([hidden]))) { display: none }
article > h2 { margin-top: 0 }
.call b { color: var(--accent) } .call .delete { color: light-dark(rgb(176 30 30), rgb(255 150 150)) }
dt { margin-top: .5rem } dd { margin: 0 } dd dl { margin: 0; padding-left: .75rem; border-left: 2px solid var(--line) } dd p { margin: 0; color: var(--soft) }
summary { padding: .25rem 0; cursor: pointer } summary p { display: inline }
fieldset { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; border: 1px solid var(--line); border-radius: .5rem }
nav ul { margin: .25rem 0; padding: 0; list-style: none } nav li { padding: .125rem 0 } nav h2 { margin: .75rem 0 0; font-size: 1rem }
#search { width: 100%; margin: .375rem 0; padding: .4rem .6rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--card); color: inherit; font: inherit }
#found { min-height: 1.6em; margin: 0; font-size: .875rem }
${languages.map((name) => `body:has(#${name}:checked) :is(.sample:not(.${name}), .copy:has(+ .sample:not(.${name})))`).join(', ')} { display: none }
.copy::before { content: attr(aria-label) } .copy { float: right; margin: .4rem .4rem 0 .5rem; padding: .125rem .5rem; border: 1px solid var(--line); border-radius: .375rem; background: var(--page); color: inherit; font: .8125rem/1.5 system-ui, sans-serif; cursor: pointer }
.samples pre { margin-top: 0 }
main:not(:has(article:not([hidden])))::after { content: 'Nothing found: every word of the search must occur.' }
nav [aria-current] { color: inherit; font-weight: 600 } nav h2:not(:has(+ ul > :not([hidden]))) { display: none }
::highlight(found) { background: rgb(255 221 87); color: black }
nav summary { margin-top: .5rem; font-weight: 600 }
@media (max-width: 40rem) { tr { display: block; padding: .4rem 0 } th, td { display: inline } }
@media (max-width: 60rem) { main { margin-top: 1.5rem } }
@media (min-width: 60rem) {
  nav { padding: .375rem; font-size: .9375rem; line-height: 1.35 } nav summary { display: none }
  body { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 2.5rem; place-items: start; padding: 2rem }
  nav { position: sticky; top: 2rem; max-height: calc(100vh - 4rem); overflow-y: auto }
}
@media (min-width: 80rem) {
  main { max-width: 88rem }
  section article { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 30rem); grid-template-rows: auto 1fr; gap: 0 2rem }
  .samples { grid-area: 1 / 2 / 3; position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto }
}
`;

/** Filters articles by all of the searched words, copies samples, marks the current place and fills in the page's address. */
export const script = `
var base = location.href.replace(/[?#].*/, '').replace(/\\/1\\.0\\/docs$/, '');
document.querySelectorAll('.base').forEach(function (place) { place.textContent = base; });
var nav = document.querySelector('nav'), contents = nav.querySelector('details'), isWide = matchMedia('(min-width: 60rem)');
(isWide.onchange = function () { contents.open = isWide.matches; })();
var search = document.getElementById('search'), articles = document.querySelectorAll('article');
var linkTo = function (article) { return nav.querySelector('[href="#' + article.id + '"]'); };
var markHits = function (words) {
  if (!self.Highlight) return;
  var hits = new Highlight();
  articles.forEach(function (article) {
    var texts = document.createTreeWalker(article.hidden ? new Text() : article, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      var text = texts.currentNode.data.toLowerCase();
      words.forEach(function (word) {
        for (var at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
          var hit = new Range();
          hit.setStart(texts.currentNode, at);
          hit.setEnd(texts.currentNode, Math.min(at + word.length, texts.currentNode.length));
          hits.add(hit);
          var around = hit.startContainer.parentNode.closest('dl details');
          for (; around; around = around.parentNode.closest('dl details')) around.open = true;
        }
      });
    }
  });
  CSS.highlights.set('found', hits);
};
search.addEventListener('input', function () {
  var words = search.value.toLowerCase().split(/\\s+/).filter(Boolean), found = 0;
  articles.forEach(function (article) {
    var text = article.textContent.toLowerCase();
    article.hidden = !words.every(function (word) { return text.includes(word); });
    linkTo(article).parentNode.hidden = article.hidden;
    if (!article.hidden) found += 1;
  });
  contents.open = isWide.matches || search.value !== '';
  document.getElementById('found').textContent = !search.value ? '' : found ? found + ' of ' + articles.length : 'Nothing found';
  markHits(words);
  markPlace();
});
var current;
var markPlace = function () {
  var shown = Array.from(articles).filter(function (article) { return !article.hidden; });
  var passed = shown.filter(function (article) { return article.getBoundingClientRect().top < innerHeight / 4; });
  var now = passed.pop() || shown[0];
  if (now === current) return;
  if (current) linkTo(current).removeAttribute('aria-current');
  current = now;
  if (!now) return;
  var link = linkTo(now);
  link.setAttribute('aria-current', 'true');
  if (isWide.matches) nav.scrollTop = link.offsetTop - nav.clientHeight / 2;
};
addEventListener('scroll', markPlace, { passive: true });
markPlace();
if (navigator.clipboard) document.querySelectorAll('pre').forEach(function (pre) {
  var button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  // A text of its own would be searched.
  button.ariaLabel = 'Copy';
  button.addEventListener('click', function () {
    navigator.clipboard.writeText(pre.textContent).then(function () {
      button.ariaLabel = 'Copied';
      button.onblur = function () { button.ariaLabel = 'Copy'; };
    });
  });
  pre.before(button);
});
`;
