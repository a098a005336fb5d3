import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from '../support/folder.ts';

/* The TypeScript of the pages for apps, with the types of the packages that it imports. */

const root = path.join(import.meta.dirname, '../..');
const folder = newFolder();

const write = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
};
const examplesOf = (page: string): string[] =>
  [...readFileSync(path.join(root, page), 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);

const shop = readFileSync(path.join(import.meta.dirname, 'firebase-app/shop.ts.txt'), 'utf8');
const firebase = '@react-native-firebase/dynamic-links';

/** Stands for the functions of the Firebase package. Functions of a Firebase app have no counterpart. */
const sameTypes = `
import theirs, * as all from '${firebase}';
import type { FirebaseDynamicLinksTypes as Theirs } from '${firebase}';
import ours, * as own from 'dynamic-link-client/firebase';
import type { FirebaseDynamicLinksTypes as Ours } from 'dynamic-link-client/firebase';
type Kept = keyof Ours.Module;
export const module: Pick<Theirs.Module, Kept> = ours();
export const module2: Ours.Module = theirs();
export const link: Theirs.DynamicLink = {} as Ours.DynamicLink;
export const link2: Ours.DynamicLink = {} as Theirs.DynamicLink;
export const parameters: Ours.DynamicLinkParameters = {} as Theirs.DynamicLinkParameters;
export const parameters2: Theirs.DynamicLinkParameters = {} as Ours.DynamicLinkParameters;
export const statics: Theirs.Statics = ours;
export const functions: Pick<
  typeof all,
  'buildLink' | 'buildShortLink' | 'getInitialLink' | 'onLink' | 'performDiagnostics' | 'resolveLink' | 'ShortLinkType'
> = own;
export const withApp = () => own.getDynamicLinks(undefined as Parameters<typeof all.getDynamicLinks>[0]);
`;

test('the code of the pages and an app that moves from Firebase compile strictly', async () => {
  const types: Record<string, string> = JSON.parse(
    readFileSync(path.join(import.meta.dirname, 'app-types.json'), 'utf8'),
  );
  for (const [file, text] of Object.entries(types)) write(file, text);
  symlinkSync(path.join(root, 'client'), path.join(folder, 'node_modules/dynamic-link-client'), 'dir');
  const [config = '', links = '', hook = '', bare = '', share = ''] = examplesOf('docs/apps.md');
  const [configure = ''] = examplesOf('docs/migrate.md');
  const files = {
    'app.config.ts': config,
    'links.ts': links,
    'shown-link.ts': hook,
    'bare.ts': bare,
    'share.ts': share,
    'configure.ts': configure,
    'shop-before.ts': shop,
    'shop.ts': shop.replaceAll(firebase, 'dynamic-link-client/firebase'),
    'same-types.ts': sameTypes,
    // Globals of an app's runtime.
    'globals.d.ts':
      'declare class URL { constructor(text: string); } declare function fetch(a: string): any;',
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        module: 'preserve',
        lib: ['es2022'],
        types: [],
        skipLibCheck: true,
      },
    }),
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '--project', folder]).catch(
    (error) => error,
  );
  expect(stdout).toBe('');
});
