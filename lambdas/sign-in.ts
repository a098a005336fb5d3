import { readFileSync } from 'node:fs';
import path from 'node:path';
import { memberStore } from '../core/members/member-store.ts';
import { sessionStore } from '../core/members/session-store.ts';
import { forClients } from '../core/table/retry-policy.ts';
import { openTable } from '../core/table/whole-table.ts';
import { environment, openFunction } from './frame/open-function.ts';
import { memberConsole } from './sign-in/members-console.ts';

const { settings, tableFor } = openFunction('sign-in', openTable);

// A session is exchanged for keys of 15 minutes, so members' calls go to the public API and this function needs no links.
// The name is new each time that sign-in is turned on, which ends all earlier sessions.
const { AWS_LAMBDA_FUNCTION_NAME: name } = environment;

export const handler = memberConsole({
  ...settings,
  stores: {
    members: memberStore(tableFor(forClients)),
    sessions: sessionStore(tableFor(forClients), name),
  },
  // Without a client secret, anybody can send the issuer token requests anyway; strangers don't know the name either.
  attemptSecret: `${settings.signInSecret} ${name}`,
  // A file of the bundle.
  content: (name) => readFileSync(path.join(import.meta.dirname, path.basename(name)), 'utf8'),
});
