import { type Scope, scopes } from '../../../core/api-keys/scopes.ts';
import { OperatorError, UsageError } from '../../base/operator-error.ts';
import { command, flag, optional, read, required } from '../command.ts';

const library = () => import('../../projects/keys.ts');
const shareLibrary = () => import('../../projects/share-keys.ts');
const templateIn = async (file: string, input: () => Promise<string>) => {
  const { jsonIn } = await import('../../links/link-body.ts');
  return (await shareLibrary()).checkedTemplate(await jsonIn(file, input));
};
const keyId = required('KEYID', "the publishable key's id, as key list shows it");
const project = required('ID', 'the project that the keys belong to');

/** Reads scopes with commas between them, each once. Throws OperatorError for one that doesn't exist. */
const readScopes = (text: string): readonly Scope[] => {
  const read = text.split(',').map((name) => {
    const scope = scopes.find((one) => one === name.trim());
    if (!scope) throw new OperatorError(`There is no scope '${name}'; the scopes are ${scopes.join(', ')}`);
    return scope;
  });
  return [...new Set(read)];
};

export const keyCommands = [
  command('key create', {
    summary: 'Create an API key; a secret key is shown only once',
    options: {
      project,
      share: optional(
        'FILE',
        'create a publishable key for apps and pages, with the template in this JSON file; - is standard input',
      ),
      user: optional('USER', 'the creator of its links (default: admin)'),
      scopes: read(
        { placeholder: 'A,B', description: `any of ${scopes.join(', ')} (default: all)` },
        readScopes,
      ),
    },
    run: async ({ share, ...key }, { deployment, input }) => {
      if (share === undefined) return (await library()).createKey(await deployment(), key);
      if (key.scopes !== undefined || key.user !== undefined)
        throw new UsageError('A publishable key has no scopes and no user: leave out --scopes and --user');
      const template = await templateIn(share, input);
      return (await shareLibrary()).createShareKey(await deployment(), key.project, template);
    },
  }),
  command('key update', {
    summary: 'Replace the template of a publishable key, within 65 seconds',
    arguments: { key: keyId },
    options: { share: required('FILE', 'the JSON file with the whole template; - is standard input') },
    run: async ({ key, share }, { deployment, input }) => {
      const template = await templateIn(share, input);
      return (await shareLibrary()).updateShareKey(await deployment(), key, template);
    },
  }),
  command('key list', {
    summary: "List a project's API keys",
    options: { project },
    run: async ({ project }, { deployment }) => (await library()).listKeys(await deployment(), project),
  }),
  command('key revoke', {
    summary: 'Revoke an API key immediately',
    arguments: {
      key: required(
        'KEYID|KEY|-',
        "the key's id, as key list shows it, or the key itself; - reads either from standard input",
      ),
    },
    options: {
      withLinks: flag('also make the links of a publishable key lead nowhere, within a minute'),
    },
    run: async ({ key, withLinks }, { deployment, input, isJson }) => {
      const { revokeKey } = await library();
      const revoked = await revokeKey(await deployment(), key === '-' ? await input() : key, { withLinks });
      // Only secret keys have scopes.
      return isJson || revoked.scopes.length > 0 ? revoked : { ...revoked, scopes: undefined };
    },
  }),
  command('key restore-links', {
    summary: 'Let the links of a publishable key redirect again, within a minute',
    arguments: { key: keyId },
    run: async ({ key }, { deployment }) => (await shareLibrary()).restoreLinksOf(await deployment(), key),
  }),
];
