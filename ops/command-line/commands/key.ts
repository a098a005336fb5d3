import { type Scope, scopes } from '../../../core/api-keys/api-key.ts';
import { OperatorError } from '../../base/operator-error.ts';
import { command, optional, read, required } from '../command.ts';

const library = () => import('../../projects/keys.ts');
const project = required('ID', 'the project that the keys belong to');

/** Reads scopes with commas between them. Throws OperatorError for one that doesn't exist. */
const readScopes = (text: string): readonly Scope[] =>
  text.split(',').map((name) => {
    const scope = scopes.find((one) => one === name.trim());
    if (!scope) throw new OperatorError(`There is no scope '${name}'; the scopes are ${scopes.join(', ')}`);
    return scope;
  });

export const keyCommands = [
  command('key create', {
    summary: 'Create an API key; it is shown only once',
    options: {
      project,
      user: optional('USER', 'the creator of its links (default: admin)'),
      scopes: read(
        { placeholder: 'A,B', description: `any of ${scopes.join(', ')} (default: all)` },
        readScopes,
      ),
    },
    run: async (key, { deployment }) => (await library()).createKey(await deployment(), key),
  }),
  command('key list', {
    summary: "List a project's API keys",
    options: { project },
    run: async ({ project }, { deployment }) => (await library()).listKeys(await deployment(), project),
  }),
  command('key revoke', {
    summary: 'Revoke an API key, at once',
    arguments: {
      key: required(
        'KEYID|KEY|-',
        "the key's id, as key list shows it, or the key itself; - reads either from standard input",
      ),
    },
    run: async ({ key }, { deployment, input }) =>
      (await library()).revokeKey(await deployment(), key === '-' ? await input() : key),
  }),
];
