import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Attempt } from './issuer.ts';

const attemptSeconds = 600;
const sessionSeconds = 12 * 3600;
/** Attempts that a browser keeps: their cookies would else fill up the headers that the gateway takes. */
const mostAttempts = 4;

/** The cookies of a console's address: bound to its host where it has https, and told apart by port on loopback. */
export const cookiesOf = (address: URL) => {
  const isSecure = address.protocol === 'https:';
  const name = (kind: string, rest = ''): string =>
    isSecure ? `__Host-dls-${kind}${rest}` : `dls-${kind}-${address.port}${rest}`;
  const set = (one: string, value: string, seconds: number): string =>
    `${one}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const session = name('session');
  const attempts = name('sign-in', '-');
  return {
    session: (event: APIGatewayProxyEvent): string | undefined => read(event).get(session),
    keepSession: (token: string): string => set(session, token, sessionSeconds),
    endSession: set(session, '', 0),

    /** What the callback compares, one for each state. */
    keepAttempt: (event: APIGatewayProxyEvent, { state, nonce, verifier }: Attempt): string[] => {
      const open = [...read(event).keys()].filter((one) => one.startsWith(attempts));
      const dropped = open.length < mostAttempts ? [] : open;
      return [
        ...dropped.map((one) => set(one, '', 0)),
        set(`${attempts}${state}`, `${nonce}.${verifier}`, attemptSeconds),
      ];
    },

    attempt: (event: APIGatewayProxyEvent, state: string): Attempt | undefined => {
      const [nonce, verifier] = read(event).get(`${attempts}${state}`)?.split('.') ?? [];
      return nonce && verifier ? { state, nonce, verifier } : undefined;
    },
    endAttempt: (state: string): string => set(`${attempts}${state}`, '', 0),
  };
};

export type Cookies = ReturnType<typeof cookiesOf>;

const read = ({ multiValueHeaders }: APIGatewayProxyEvent): ReadonlyMap<string, string> => {
  const given = Object.entries(multiValueHeaders ?? {}).flatMap(([name, values]) =>
    name.toLowerCase() === 'cookie' ? (values ?? []) : [],
  );
  const pairs = given.flatMap((one) => one.split(/; */)).map((one) => /^([^=]+)=(.*)$/.exec(one) ?? []);
  return new Map(pairs.flatMap(([, name, value]) => (name && value ? [[name, value]] : [])));
};
