// A CloudFront Function: answers what no short URL takes, and hands the host that the viewer asked for on to the
// origin, whose own Host header is its function URL's. Whatever the viewer sent under that name is overwritten.
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name
function handler(event) {
  var request = event.request;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return answer(405, 'Method Not Allowed', { allow: 'GET, HEAD', 'cache-control': 'private, no-store' });
  }
  if (request.uri === '/robots.txt') {
    // Open to crawlers: those of social networks need the previews, and only who may look sees that there is
    // nothing to index.
    const text = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' };
    return answer(200, 'OK', text, 'User-agent: *\nAllow: /\n');
  }
  if (request.uri === '/favicon.ico') {
    return answer(204, 'No Content', { 'cache-control': 'public, max-age=86400' });
  }
  foldPurposes(request.headers);
  request.headers['x-forwarded-host'] = {
    value: request.headers.host ? request.headers.host.value.toLowerCase() : '',
  };
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

// Browsers have announced that they only look ahead in four headers. An origin request policy holds ten names at
// most, so the origin gets one of them, with the values of all.
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
