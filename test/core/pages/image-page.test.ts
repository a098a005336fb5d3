import { imagePage } from '../../../core/pages/image-page.ts';

test('a page shows one image, loads from its host only and runs nothing', () => {
  const page = imagePage('https://cdn.example.com:8443/a.png?b="><script>&c');
  expect(page?.headers['Content-Security-Policy']).toBe(
    "default-src 'none'; img-src https://cdn.example.com:8443; frame-ancestors 'self'; sandbox",
  );
  expect(page?.html).toContain('src="https://cdn.example.com:8443/a.png?b=%22%3E%3Cscript%3E&amp;c"');
});

test.each([
  null,
  '',
  'cdn.example.com/a.png',
  'http://cdn.example.com/a.png',
  'javascript:alert(1)',
  'data:image/png;base64,AA',
])('%s is no address of an image', (address) => expect(imagePage(address)).toBeUndefined());
