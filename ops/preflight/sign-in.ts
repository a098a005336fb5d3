import { signingAlgorithms } from '../../core/members/signing-algorithms.ts';
import { connect } from '../../core/table/connection.ts';
import { outputsOf } from '../aws/described-stack.ts';
import { operatorAccess } from '../deployment/service-access.ts';
import { type Finding, finding, look, ok, todo } from './finding.ts';
import type { Plan } from './plan.ts';

const timeoutMs = 5000;

/** Findings that prevent members from signing in, as far as the issuer and AWS show them. */
export const signInFindings = async (region: string, plan: Plan): Promise<Finding[]> => {
  const { config } = plan;
  const { signIn, signInClient = '', signInSecret } = config;
  if (signIn === undefined) return [];
  let authorize: string | undefined;
  const discovery = await finding('identity provider', async () => {
    const address = `${signIn.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const discovery = (await ask(address).then((answer) => answer.json())) as Readonly<
      Record<string, unknown>
    >;
    const bare = (text: unknown) => String(text).replace(/\/$/, '');
    if (bare(discovery.issuer) !== bare(signIn))
      return todo(`${address} states the issuer ${discovery.issuer}, not ${signIn}`);
    const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'];
    const missing = needed.filter((name) => !/^https?:/.test(String(discovery[name])));
    if (missing.length > 0) return todo(`${address} names no ${missing.join(' and no ')}`);
    const signed = [discovery.id_token_signing_alg_values_supported ?? 'RS256'].flat().map(String);
    if (!signed.some((one) => signingAlgorithms.includes(one)))
      return todo(
        `${address} signs ID tokens with ${signed.join(', ') || 'nothing'}; the service accepts ${signingAlgorithms.join(', ')}`,
      );
    authorize = String(discovery.authorization_endpoint);
    return ok(`${discovery.issuer}`);
  });
  return [
    discovery,
    ...(signInSecret === undefined ? [] : [await secret(region, signInSecret)]),
    await redirect(region, plan, authorize && { authorize, client: signInClient }),
  ];
};

const ask = (address: string): Promise<Response> =>
  fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }).catch((error: Error) => {
    throw new Error(`${new URL(address).origin} does not answer: ${error.message}`);
  });

const secret = (region: string, name: string): Promise<Finding> =>
  finding('client secret', async () => {
    const send = connect(await operatorAccess('secretsmanager', { client: { region } }));
    const asked = { action: 'GetSecretValue', input: { SecretId: name }, isFresh: true } as const;
    const text = String((await send({ ...asked, until: Date.now() + timeoutMs })).SecretString);
    return /^\S+$/.test(text) && !text.startsWith('{')
      ? ok(`${name} is there`)
      : todo(`the whole text of ${name} must be the secret itself, without JSON or spaces around it`);
  });

/** Tests the redirect: with `prompt=none`, the issuer redirects back only to a registered address. */
const redirect = (
  region: string,
  { config, stack }: Plan,
  asked: { readonly authorize: string; readonly client: string } | '' | undefined,
): Promise<Finding> =>
  finding('redirect address', async () => {
    const outputs = await outputsOf(stack, { region });
    const address = config.api ? `https://${config.api.name}/console/callback` : outputs?.SignInRedirect;
    if (!address)
      return look(`deploy ${stack} first, then register its output SignInRedirect with the issuer`);
    if (!asked) return look(`register ${address} with the issuer`);
    const url = new URL(asked.authorize);
    const query = { response_type: 'code', client_id: asked.client, redirect_uri: address, scope: 'openid' };
    for (const [name, value] of Object.entries({ ...query, state: 'preflight', prompt: 'none' }))
      url.searchParams.set(name, value);
    const to = (await ask(url.href)).headers.get('location') ?? '';
    return to.startsWith(`${address}?`)
      ? ok(`the issuer accepts ${address}`)
      : look(`register ${address} with the issuer, if it isn't yet: the issuer doesn't show it`);
  });
