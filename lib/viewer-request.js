// A CloudFront Function. It answers requests that can't be short URLs, and passes the viewer's host to the
// origin, whose own Host header is its function URL's, and an id of the visit. It overwrites whatever the viewer sent
// under these names. viewer-request.ts puts constants in front.
/* global notFound, shortPath, characterBytes, closingMarks */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name
function handler(event) {
  var request = event.request;
  request.uri = withPlainLetters(request.uri);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return answer(405, 'Method Not Allowed', { allow: 'GET, HEAD', 'cache-control': 'private, no-store' });
  }
  if (request.uri === '/robots.txt') {
    // Open to crawlers, because social networks need the previews, and only an allowed crawler sees `noindex`.
    const text = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' };
    return answer(200, 'OK', text, 'User-agent: *\nAllow: /\n');
  }
  if (request.uri === '/favicon.ico') {
    return answer(204, 'No Content', { 'cache-control': 'public, max-age=86400' });
  }
  const parts = shortPath.exec(plainPath(request.uri));
  if (parts) request.uri = `/${parts.slice(1).filter(Boolean).join('/')}`;
  else if (!isServed(request.uri)) return notFoundAnswer(request.headers);
  foldPurposes(request.headers);
  const host = hostOf(request.headers);
  // The origin couldn't write an address with such a port.
  const port = host.split(':')[1];
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && port > 0 && port < 65536))
    return notFoundAnswer(request.headers);
  request.headers['x-forwarded-host'] = { value: host };
  request.headers['x-visit-id'] = { value: event.context.requestId };
  return request;
}

// With the security headers that the distribution's response headers policy adds to all other answers: AWS does not
// promise that the policy covers these.
function answer(statusCode, statusDescription, headers, body) {
  const all = {
    'strict-transport-security': { value: 'max-age=31536000' },
    'x-content-type-options': { value: 'nosniff' },
  };
  Object.keys(headers).forEach((name) => {
    all[name] = { value: headers[name] };
  });
  const made = { statusCode: statusCode, statusDescription: statusDescription, headers: all };
  if (body) made.body = body;
  return made;
}

// Browsers announce prefetches in four different headers. An origin request policy allows ten names, so the origin
// gets one header with the values of all.
function foldPurposes(headers) {
  const values = [];
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].forEach((name) => {
    const header = headers[name];
    if (!header) return;
    (header.multiValue || [header]).forEach((one) => {
      values.push(one.value);
    });
    delete headers[name];
  });
  if (values.length > 0) headers['sec-purpose'] = { value: values.join(', ') };
}

// A letter, a digit or one of `-._~` means the same percent-encoded and plain (RFC 3986, 6.2.2.2). Decoded only once, so
// `%2541` doesn't become `A`.
function withPlainLetters(uri) {
  return uri.replace(/%([0-9a-f]{2})/gi, (escaped, digits) => {
    const letter = String.fromCharCode(parseInt(digits, 16));
    return /[\w.~-]/.test(letter) ? letter : escaped;
  });
}

// As in core/hosts/short-address.ts, but for a limited number of marks, because the function's time is limited.
function plainPath(uri) {
  const escaped = uri
    .replace(/%(?=2f)/gi, '%25')
    .replace(characterBytes, (bytes) => bytes.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`));
  let marks = 0;
  try {
    return decodeURIComponent(escaped).replace(/[\ud800-\udbff][\udc00-\udfff]|[^\0-\x7f]/g, (character) => {
      marks += 1;
      return marks <= 32 && isClosingMark(character.codePointAt(0)) ? '!' : character;
    });
  } catch (_) {
    return '';
  }
}

function isClosingMark(point) {
  let end = 0;
  return closingMarks.split(' ').some((range) => {
    const parts = range.split('.');
    const start = end + parseInt(parts[0], 36);
    end = start + parseInt(parts[1] || '0', 36);
    return start <= point && point <= end;
  });
}

// A path that can't be a short URL never reaches the origin, except `/`, which a project may redirect on its
// host, and apps' requests, which get their 404 as JSON.
function isServed(uri) {
  return uri === '/' || uri.indexOf('/.well-known/') === 0 || /\/(link|open)\.json$/.test(uri);
}

// The answer that unknown short URLs get, so that a visitor sees no difference.
function notFoundAnswer(headers) {
  const accepted = headers.accept ? headers.accept.value : '';
  const wantsJson = /\bapplication\/json\b/i.test(accepted) && !/\btext\/html\b/i.test(accepted);
  const described = Object.assign(
    { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex, nofollow' },
    wantsJson ? { 'content-type': 'application/json' } : notFound.headers,
  );
  return answer(404, 'Not Found', described, wantsJson ? notFound.json : notFound.html);
}

// The host without a trailing dot and its scheme's default port.
function hostOf(headers) {
  const host = headers.host ? headers.host.value.toLowerCase() : '';
  return host.replace(/:(80|443)$/, '').replace(/\.(:\d+)?$/, '$1');
}
