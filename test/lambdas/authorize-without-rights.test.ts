import type { APIGatewayTokenAuthorizerEvent, Context } from 'aws-lambda';
import { generateApiKey } from '../../core/api-keys/api-key.ts';
import { generateMemberKey } from '../../core/members/member.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { handlerOf } from '../support/handler-of.ts';
import { ofFile } from '../support/of-file.ts';
import { startScriptedServer } from '../support/scripted-server.ts';

const table = ofFile(startScriptedServer);
const log = ofFile(captureFunctionLog);
const environment = { PLAN_KEYS: 'plan', SIGN_IN: 'https://accounts.example.com' };
const handler = handlerOf(() => import('../../lambdas/authorize.ts'), table, environment);

const methodArn = 'arn:aws:execute-api:eu-west-1:123456789012:api/prod/GET/1.0/links';
const refusalOf = async (authorizationToken: string) => {
  const event: APIGatewayTokenAuthorizerEvent = { type: 'TOKEN', authorizationToken, methodArn };
  log.lines.length = 0;
  const { message } = await handler(event, { awsRequestId: 'r' } as Context).then(
    () => ({ message: 'admitted' }),
    (error: Error) => error,
  );
  return { message, isFailure: log.lines.join('').includes('InternalError') };
};

test("a release that ends sign-in takes the right to read members' keys first: they are unknown then, and no failure", async () => {
  table.answer = () => ({ refused: 'AccessDeniedException' });
  expect(await refusalOf(generateMemberKey())).toEqual({ message: 'Unauthorized', isFailure: false });
  expect(table.calls).toHaveLength(1);
  expect(await refusalOf(generateApiKey())).toEqual({
    message: expect.stringMatching(/^AccessDenied/),
    isFailure: true,
  });
  table.answer = () => ({ refused: 'ValidationException' });
  expect(await refusalOf(generateMemberKey())).toEqual({
    message: expect.stringMatching(/^Validation/),
    isFailure: true,
  });
});
