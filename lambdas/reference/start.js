// The renderer has a dark mode and leaves it to the page when to use it.
const darkness = window.matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', darkness.matches);
darkness.addEventListener('change', follow);
follow();

// Beside the page: `openapi.json` is where it is wherever the API is served.
window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  // Keys don't belong in browsers, so nothing is called from here.
  supportedSubmitMethods: [],
  // The default would ask a host of others.
  validatorUrl: 'none',
});

// The renderer names no choice of an example, and lets no keyboard scroll one.
new MutationObserver(() => {
  for (const select of document.querySelectorAll('select:not([aria-label])'))
    select.setAttribute('aria-label', 'Example');
  for (const example of document.querySelectorAll('pre.microlight:not([tabindex])')) example.tabIndex = 0;
}).observe(document.querySelector('#reference'), { childList: true, subtree: true });
