import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, '../../console/styles');

test('views take colours, spaces and sizes of text from the tokens in base.css', () => {
  const raw = readdirSync(folder).flatMap((file) => {
    const [, rules = ''] =
      /^(?::root \{[^}]+\})?(.*)$/s.exec(readFileSync(path.join(folder, file), 'utf8')) ?? [];
    const declared = [...rules.matchAll(/([a-z-]+): ([^;{}]+);/g)];
    return declared.flatMap(([text, name = '', value = '']) => {
      // Behind a QR code is paper, and a mask has no colour.
      if (/#(?!fff\b|000\b)[\da-f]{3}/.test(value)) return [`${file}: ${text}`];
      const isSpace = /^((row|column)-)?gap$|^padding|^margin/.test(name);
      const small = [...value.matchAll(/(?<![\w.-])([\d.]+)rem/g)].filter(([, size]) => Number(size) <= 1.5);
      return (isSpace && small.length > 0) || (name === 'font-size' && /[\d.]/.test(value))
        ? [`${file}: ${text}`]
        : [];
    });
  });
  expect(raw).toEqual([]);
});
