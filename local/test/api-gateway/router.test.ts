import fc from 'fast-check';
import { createRouter } from '../../api-gateway/router.ts';
import { aMethod } from './rest-api-server.ts';

const named = (httpMethod: string, path: string) =>
  aMethod(path, { httpMethod, integration: `${httpMethod} ${path}` });

const router = createRouter([
  named('GET', '/things'),
  named('POST', '/things'),
  named('GET', '/things/{id}'),
  named('PUT', '/things/{id}/state'),
  named('GET', '/things/special'),
  named('GET', '/files/fixed'),
  named('ANY', '/files/{path+}'),
]);
const routed = (method: string, path: string) => router(method, path)?.method.integration;

test('prefers a fixed part to a greedy variable', () => {
  expect(routed('GET', '/files/fixed')).toBe('GET /files/fixed');
  expect(routed('GET', '/files/a/b')).toBe('ANY /files/{path+}');
});

test('a fixed part without the method gives way only to a greedy one', () => {
  expect(routed('DELETE', '/files/fixed')).toBe('ANY /files/{path+}');
  expect(routed('PUT', '/things/special')).toBeUndefined();
});

test('a trailing slash names the same resource', () => {
  expect(routed('GET', '/things/')).toBe('GET /things');
});

test('empty parts and other methods match nothing', () => {
  expect(routed('PUT', '/things//state')).toBeUndefined();
  expect(routed('DELETE', '/things')).toBeUndefined();
  expect(routed('HEAD', '/things')).toBeUndefined();
  expect(routed('GET', '/')).toBeUndefined();
  expect(routed('GET', '/files')).toBeUndefined();
});

test('variables arrive as they were sent', () => {
  const part = fc
    .stringMatching(/^[A-Za-z0-9%._~!$&'()*+,;=:@-]{1,40}$/)
    .filter((text) => text !== 'special');
  fc.assert(
    fc.property(part, (id) => {
      expect(router('GET', `/things/${id}`)).toMatchObject({ pathParameters: { id } });
      expect(router('PUT', `/things/${id}/state`)).toMatchObject({ pathParameters: { id } });
    }),
  );
});

test('any path finds the most specific template that fits', () => {
  const segment = fc.constantFrom('a', 'b', '{v}');
  const template = fc.array(segment, { minLength: 1, maxLength: 4 });
  const value = fc.constantFrom('a', 'b', 'c', 'd');
  fc.assert(
    fc.property(
      fc.uniqueArray(template, { maxLength: 8, selector: String }),
      fc.array(value, { minLength: 1, maxLength: 4 }),
      (templates, parts) => {
        const fits = templates.filter(
          (one) => one.length === parts.length && one.every((each, i) => each === '{v}' || each === parts[i]),
        );
        const rank = (one: readonly string[]) => one.map((each) => (each === '{v}' ? '1' : '0')).join('');
        const [best] = fits.sort((x, y) => (rank(x) < rank(y) ? -1 : 1));
        const found = createRouter(templates.map((one) => named('GET', `/${one.join('/')}`)));
        expect(found('GET', `/${parts.join('/')}`)?.method.path).toBe(best && `/${best.join('/')}`);
      },
    ),
  );
});
