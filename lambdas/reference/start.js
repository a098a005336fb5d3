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
