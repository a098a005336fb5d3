import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sessionStore } from '../core/members/session-store.ts';
import { forClients } from '../core/table/patience.ts';
import { openTable } from '../core/table/whole-table.ts';
import { openFunction } from './open-function.ts';
import { memberConsole } from './sign-in/console.ts';
import { openIssuer } from './sign-in/issuer.ts';

const { settings, tableFor } = openFunction('sign-in', openTable);
const { signIn = '', signInClient, signInRedirect, signInSecret, signInTrustsEmail } = settings;

/** Signs members in, and serves them the console. */
export const handler = memberConsole({
  stores: { sessions: sessionStore(tableFor(forClients)) },
  issuer: openIssuer({
    issuer: signIn,
    clientId: signInClient,
    clientSecret: signInSecret,
    redirect: signInRedirect,
    trustsEmail: signInTrustsEmail,
  }),
  redirect: signInRedirect,
  // Beside this code in the bundle.
  content: (name) => readFileSync(path.join(import.meta.dirname, path.basename(name)), 'utf8'),
});
