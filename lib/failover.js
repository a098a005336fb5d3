// Added to viewer-request.js if there is a second region. A visit that this one doesn't answer goes there, with the same
// headers.
/* global cf, respond, withPlainLetters */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name
function handler(event) {
  const path = withPlainLetters(event.request.uri);
  // Asks the second region's redirect for the rest of the path, for operators' checks.
  const isCheck = path.indexOf('/.well-known/standby/') === 0;
  if (isCheck) event.request.uri = path.slice('/.well-known/standby'.length);
  const made = respond(event);
  const ids = made.statusCode || isCheck ? undefined : originsOf(path);
  if (ids)
    cf.createRequestOriginGroup({
      originIds: ids.map((originId) => ({ originId: originId })),
      failoverCriteria: { statusCodes: [403, 500, 502, 503, 504] },
    });
  return made;
}

// By the behaviors' patterns. The second region has no QR codes, and no responses to apps.
function originsOf(path) {
  if (/\/(link|open)\.json|\/qr\.(png|svg)/.test(path) || path === '/.well-known/standby') return undefined;
  const isFile = path.indexOf('/.well-known/') === 0 || path === '/apple-app-site-association';
  return isFile ? ['HomeFiles', 'StandbyFiles'] : ['Home', 'Standby'];
}
