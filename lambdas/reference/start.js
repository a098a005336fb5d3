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
