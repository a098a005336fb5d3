import { answered, expectTrue, header, same } from './expect.ts';
import { type Check, Skipped } from './run.ts';

/** Checks the sign-in as far as that needs no user. */
const run: Check['run'] = async ({ console, open }) => {
  const page = await open(console);
  if (page.status === 404) throw new Skipped('members do not sign in here');
  const own = header(answered(page, 302), 'location').replace(/\/sign-in$/, '');
  const begun = answered(await open(`${own}/sign-in`), 302);
  const asked = new URL(header(begun, 'location')).searchParams;
  same('redirect_uri', asked.get('redirect_uri'), `${own}/callback`);
  same('code_challenge_method', asked.get('code_challenge_method'), 'S256');
  for (const name of ['client_id', 'state', 'nonce', 'code_challenge'])
    expectTrue(`the issuer doesn't get ${name}`, asked.has(name));
  const cookie = header(begun, 'set-cookie');
  expectTrue(`the cookie is ${cookie}`, /; HttpOnly; SameSite=Lax/.test(cookie));
  // The firewall must not block a long callback.
  answered(await open(`${own}/callback?code=${'x'.repeat(8000)}&state=${asked.get('state')}`), 400);
  answered(await open(`${own}/session`), 401);
  answered(await open(`${own}/session`, { origin: 'https://example.com' }, 'POST'), 403);
  return new URL(header(begun, 'location')).origin;
};

export const signInCheck: Check = { name: 'members are redirected to sign in, and nobody else gets in', run };
