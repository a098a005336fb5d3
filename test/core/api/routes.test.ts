import * as fc from 'fast-check';
import { api } from '../../../core/api/index.ts';
import { apiRoutesOf, methodsByPath, pathParameters } from '../../../core/api/routes.ts';
import { codePattern } from '../../../core/links/link.ts';

const routes = apiRoutesOf(api);
const operationOf = (method: string, path: string) =>
  routes.find((route) => route.method === method && route.path === path)?.operation;

test('keeps every stated route', () => {
  for (const [operation, { method, path }] of Object.entries(api))
    expect(operationOf(method, path)).toBe(operation);
});

test.each([
  ['GET', '/links/check', 'getLink'],
  ['DELETE', '/links/check', 'deleteLink'],
  ['PUT', '/links/check/status', 'updateLinkStatus'],
  ['GET', '/links/check/status', 'checkCode'],
])('%s %s takes `check` as a code: %s', (method, path, operation) => {
  expect(operationOf(method, path)).toBe(operation);
});

/** Routes like API Gateway: at every segment a static resource hides the variable one, whatever its methods. */
const gatewayRoute = (method: string, path: string) => {
  let open = routes.map((route) => ({ ...route, segments: route.path.split('/') }));
  for (const [position, segment] of path.split('/').entries()) {
    const literal = open.filter(({ segments }) => segments[position] === segment);
    open = literal.length > 0 ? literal : open.filter(({ segments }) => segments[position]?.startsWith('{'));
  }
  const length = path.split('/').length;
  return open.find((route) => route.method === method && route.segments.length === length);
};

test('every code reaches every link operation, and arrives as it was sent', () => {
  const code = fc.oneof(fc.constantFrom('check', 'status', 'links'), fc.stringMatching(codePattern));
  const operations = Object.entries(api).filter(([, { path }]) => path.includes('{code}'));
  fc.assert(
    fc.property(code, fc.constantFrom(...operations), (given, [operation, contract]) => {
      const route = gatewayRoute(contract.method, contract.path.replace('{code}', given));
      expect(route?.operation).toBe(operation);
      const matched = route?.path.includes('{code}') ? { code: given } : null;
      expect(pathParameters(contract.path, `/1.0${route?.path}`, matched)).toEqual({ code: given });
    }),
  );
});

test.each([
  ['/links', 'GET, POST'],
  ['/links/{code}', 'GET, PUT, PATCH, DELETE'],
  ['/links/bulk', 'GET, POST, PUT, PATCH, DELETE'],
  ['/links/bulk/status', 'PUT'],
  ['/links/check/{code}', 'GET'],
  ['/links/check/status', 'GET, PUT'],
  ['/links/check', 'GET, PUT, PATCH, DELETE'],
  ['/usage', 'GET'],
])('%s takes %s', (path, methods) => {
  expect(methodsByPath(api).get(path)?.join(', ')).toBe(methods);
});
