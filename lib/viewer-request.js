// A CloudFront Function: answers what no short URL takes, and hands the host that the viewer asked for on to the
// origin, whose own Host header is its function URL's. Whatever the viewer sent under that name is overwritten.
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name
function handler(event) {
  var request = event.request;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return {
      statusCode: 405,
      statusDescription: 'Method Not Allowed',
      headers: { allow: { value: 'GET, HEAD' }, 'cache-control': { value: 'private, no-store' } },
    };
  }
  request.headers['x-forwarded-host'] = { value: request.headers.host.value.toLowerCase() };
  return request;
}
