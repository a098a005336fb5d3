import { escapeHtml } from '../../core/pages/html.ts';
import { errorText } from '../base/error-text.ts';
import { plainRequest } from '../base/plain-request.ts';
import { createTrialLink } from './api-checks.ts';
import { answered } from './expect.ts';
import { type Check, Skipped } from './run.ts';
import type { SmokeResponse, SmokeSession } from './session.ts';

/** Visits a path of a host; on a local stack by the Host header, because it has no DNS name. */
const visitHost = ({ isLocal, shortBase, open }: SmokeSession, host: string, path: string) =>
  isLocal ? byHostHeader(new URL(path, shortBase), host) : open(`https://${host}${path}`);

const byHostHeader = async (url: URL, host: string): Promise<SmokeResponse> => {
  const { status, headers, text } = await plainRequest(url, { headers: { host, 'user-agent': 'smoke' } });
  return { status, headers: new Headers(headers as Record<string, string>), text, json: undefined };
};

const ownHost: Check['run'] = async (session) => {
  const { isLocal, project, shortBase } = session;
  if (!isLocal) throw new Skipped('takes a name that leads here; the hosts in use are visited below');
  const { code } = await createTrialLink(session);
  const host = `${project}.example.com`;
  const takeAway = await session.assignHost(host);
  try {
    answered(await visitHost(session, host, `/${code}`), 302);
    answered(await visitHost(session, new URL(shortBase).host, `/${project}/${code}`), 302);
  } finally {
    await takeAway();
  }
};

const assignedHosts: Check['run'] = async (session) => {
  const { stores, shortBase, newCode, open, project } = session;
  const shared = new URL(shortBase).host;
  const hosts = (await stores.domains.list()).filter(({ host }) => host !== shared);
  if (hosts.length === 0) throw new Skipped('no host is assigned to a project');
  const unknown = answered(await open(`${shortBase}/${project}/${newCode()}`), 404).text;
  const failures: string[] = [];
  for (const { host, notFound } of hosts) {
    try {
      const { text } = await visitHost(session, host, `/${newCode()}`);
      if (headingOf(text) !== headingOf(unknown))
        failures.push(`${host}: shows something else than the page for unknown links`);
      else if (notFound !== undefined && !text.includes(`href="${escapeHtml(notFound)}"`))
        failures.push(`${host}: its page for unknown links lacks the link to ${notFound}`);
    } catch (error) {
      failures.push(`${host}: ${reasonOf(error)}`);
    }
  }
  if (failures.length > 0) throw new Error(`${failures.join('; ')} (docs/hosts.md)`);
  return hosts.map(({ host }) => host).join(', ');
};

/** The heading of a page. The rest of a host's page for unknown links may differ. */
const headingOf = (page: string): string | undefined => /<h1[^>]*>(.*?)<\/h1>/s.exec(page)?.[1];

/** The reason of a failed fetch, which only its cause has: an unknown name, a certificate. */
const reasonOf = (error: unknown): string =>
  errorText(error instanceof Error && error.cause instanceof Error ? error.cause : error);

export const hostChecks: readonly Check[] = [
  { name: "a custom host serves its project's links", run: ownHost },
  { name: 'every assigned host reaches this deployment', run: assignedHosts },
];
