import { DynamicLinksError } from '../../client/failures.ts';
import { changesData, mayCall } from './call-contracts.ts';
import { CallError, type CallOutput, type ConsoleClient, noConnection } from './client.ts';
import { MemberLists } from './member-lists.ts';
import { type Handlers, handlersOf, type MemberSession } from './members-calls.ts';
import { projectClients } from './project-clients.ts';

export const signedOut = 'console-signed-out';
/** The session has ended without a sign-out. */
export const sessionExpired = 'console-session-over';

/** The members' console, over the public API with keys for the session. Undefined without a session. */
export const openMembersClient = async (base: string): Promise<ConsoleClient | undefined> => {
  const session = await readSession(base);
  if (!session) return undefined;
  const url = location.origin + base.replace(/\/console$/, '');
  const { withClient, forget } = projectClients(url, (project) => send(`${base}/session`, { project }));
  const lists = new MemberLists();
  const membersOf = async (project: string) => {
    const answer = await fetch(`${base}/session?project=${encodeURIComponent(project)}`);
    if (!answer.ok) throw new Error(away);
    return (await answer.json()).members;
  };
  const change = (body: object) => send<CallOutput<'addMember'>>(`${base}/members`, body);
  const handlers: Handlers = {
    ...handlersOf(session, withClient, { membersOf, lists }),
    signInAddress: async () => location.origin + base,
    members: ({ project }) => membersOf(project),
    addMember: change,
    removeMember: (member) => change({ ...member, role: null }),
  };
  const roles = new Map(session.projects.map(({ id, role }) => [id, role]));
  return {
    isOperators: false,
    base,
    offers: (name, project = '') => name in handlers && mayCall(name, roles.get(project)),
    async call(name, input, options) {
      const handler = handlers[name];
      if (!handler) throw new Error('This console has no such call');
      try {
        return await handler(input, options);
      } catch (error) {
        throw error instanceof DynamicLinksError ? callErrorOf(error) : error;
      } finally {
        if (changesData(name)) lists.forget();
      }
    },
    account: {
      email: session.email,
      async signOut() {
        const answer = await post(`${base}/sign-out`, {}).catch(() => undefined);
        if (!answer?.ok) throw new Error('You are still signed in. Try again in a moment.');
        forget();
        dispatchEvent(new Event(signedOut));
      },
    },
  };
};

const away = 'The console does not answer. Try again in a moment.';

const readSession = async (base: string): Promise<MemberSession | undefined> => {
  const answer = await fetch(`${base}/session`).catch(() => undefined);
  if (answer?.status === 401) return undefined;
  if (!answer?.ok) throw new Error(away);
  return answer.json();
};

const post = (address: string, body: object): Promise<Response> =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Sends a change with the session's cookie. */
const send = async <Data>(address: string, body: object): Promise<Data> => {
  const answer = await post(address, body).catch(() => {
    throw new Error(noConnection);
  });
  if (answer.ok) return answer.json();
  if (answer.status === 401) dispatchEvent(new Event(sessionExpired));
  const { error } = (await answer.json().catch(() => ({}))) as {
    readonly error?: { readonly message?: string };
  };
  throw new Error(error?.message ?? away);
};

const callErrorOf = ({ code, message, faults }: DynamicLinksError): Error =>
  code === 'CONNECTION_ERROR' || code === 'TIMEOUT'
    ? new Error(noConnection)
    : new CallError(message, faults);
