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
#search { width: 100%; padding: .4rem .6rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--card); color: inherit; font: inherit }
#found { min-height: 1.6em; margin: 0; font-size: .875rem }
body:has(#curl:checked) .sample:not(.curl), body:has(#JavaScript:checked) .sample:not(.JavaScript), body:has(#Python:checked) .sample:not(.Python) { display: none }
nav summary { margin-top: .5rem; font-weight: 600 }
@media (max-width: 40rem) { tr { display: block; padding: .4rem 0 } th, td { display: inline } }
@media (max-width: 60rem) { main { margin-top: 1.5rem } }
@media (min-width: 60rem) {
  nav { font-size: .9375rem; line-height: 1.35 } nav summary { display: none }
  body { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 2.5rem; place-items: start; padding: 2rem }
  nav { position: sticky; top: 2rem; max-height: calc(100vh - 4rem); overflow-y: auto }
}
`;

/** Filters articles by all of the searched words, and fills in the address at which the page is served. */
export const script = `
var base = location.href.replace(/[?#].*/, '').replace(/\\/1\\.0\\/docs$/, '');
document.querySelectorAll('.base').forEach(function (place) { place.textContent = base; });
var contents = document.querySelector('nav details'), isWide = matchMedia('(min-width: 60rem)');
(isWide.onchange = function () { contents.open = isWide.matches; })();
var search = document.getElementById('search'), articles = document.querySelectorAll('article');
search.addEventListener('input', function () {
  var words = search.value.toLowerCase().split(/\\s+/), found = 0;
  articles.forEach(function (article) {
    var text = article.textContent.toLowerCase();
    article.hidden = !words.every(function (word) { return text.includes(word); });
    document.querySelector('nav [href="#' + article.id + '"]').parentNode.hidden = article.hidden;
    if (!article.hidden) found += 1;
  });
  contents.open = isWide.matches || search.value !== '';
  document.getElementById('found').textContent = search.value ? found + ' of ' + articles.length : '';
});
`;
