import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The licences of bundled packages, by files of a bundle, which are relative to `folder`. */
export const bundledLicenses = (folder, files) => {
  const packages = new Map();
  for (const file of files) {
    const [where, name] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
    if (name) packages.set(name, path.resolve(folder, where));
  }
  const texts = [...packages].sort().map(([name, where]) => {
    const { version, license } = JSON.parse(readFileSync(path.join(where, 'package.json'), 'utf8'));
    const file = readdirSync(where).find((one) => /^licen[cs]e/i.test(one));
    const text = file ? readFileSync(path.join(where, file), 'utf8').trim() : '';
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
};
