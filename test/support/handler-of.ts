import { tableUnderTest } from './lean-table.ts';

/**
 * The handler of a function whose table is at the endpoint, which may be a proxy. It is loaded before the tests, with
 * its environment.
 */
export const handlerOf = <Handler extends (...call: never[]) => unknown>(
  load: () => Promise<{ readonly handler: Handler }>,
  table: { readonly endpoint: string },
  environment: Readonly<Record<string, string>> = {},
): Handler => {
  let handler: Handler | undefined;
  beforeAll(async () => {
    Object.assign(process.env, {
      TABLE_NAME: tableUnderTest,
      SHORT_BASE: 'https://go.example.com',
      AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      ...environment,
    });
    ({ handler } = await load());
  });
  // Passes its arguments on, so it has the handler's type.
  return ((...call) => handler?.(...call)) as Handler;
};
