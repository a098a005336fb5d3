import { setTimeout as pause } from 'node:timers/promises';

type Matchers<Value> = jest.JestMatchers<Value>['resolves'];

interface Patience {
  readonly longestMs: number;
  /** Whether what can't be read is read again. */
  readonly isLenient: boolean;
}

const expectWithin = ({ longestMs, isLenient }: Patience) => {
  const expectation = <Value>(read: () => Value | Promise<Value>): Matchers<Value> => {
    const end = Date.now() + longestMs;
    const here = new Error();
    Error.captureStackTrace(here, expectation);
    const until = async (judge: (value: Value) => void): Promise<void> => {
      for (;;) {
        let isRead = isLenient;
        try {
          const value = await read();
          isRead = true;
          return judge(value);
        } catch (error) {
          if (isRead && Date.now() < end) await pause(25);
          // Names the line of the test.
          else
            throw Object.assign(error as Error, { stack: here.stack?.replace('Error', () => String(error)) });
        }
      }
    };
    const matchers = (of: (value: Value) => object) =>
      new Proxy(
        {},
        {
          get: (_, name: string) =>
            name === 'not'
              ? matchers((value) => expect(value).not)
              : (...expected: unknown[]) => until((value) => Reflect.get(of(value), name)(...expected)),
        },
      );
    // A proxy has the matchers that it is asked for.
    return matchers(expect) as Matchers<Value>;
  };
  return expectation;
};

/**
 * `expect` for what a page shows: reads it again until the matcher accepts it, because a page may be read before it has
 * drawn. Fails like the matcher after half a minute, as Playwright's actions do.
 */
export const expectSoon = expectWithin({ longestMs: 30_000, isLenient: true });

/** The same for what a stack does after its response, however busy the machine. It must be readable each time. */
export const expectEventually = expectWithin({ longestMs: 240_000, isLenient: false });
