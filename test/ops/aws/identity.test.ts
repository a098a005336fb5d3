import { identityIn } from '../../../ops/aws/identity.ts';
import { stackDeployment } from '../../../ops/deployment/deployment.ts';

const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});
const withEnvironment = (given: NodeJS.ProcessEnv) => {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, {
    ...{ AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' },
    ...{ AWS_EC2_METADATA_DISABLED: 'true', AWS_MAX_ATTEMPTS: '1' },
    ...given,
  });
};
const region = 'eu-west-1';
const keys = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' };

test('a profile without credentials is named', async () => {
  withEnvironment({ AWS_PROFILE: 'nosuch' });
  const named = /^Sign in first .*: .*credentials.*\(the profile is 'nosuch'\)$/;
  await expect(identityIn({ region })).rejects.toThrow(named);
  await expect(identityIn({ region, profile: 'other' })).rejects.toThrow(/other/);
  await expect(stackDeployment('Stack', region)).rejects.toThrow(/\(the profile is 'nosuch'\)/);
});

test('an AWS that gives no answer is out of reach, and no sign-in is asked for', async () => {
  // Nothing listens there.
  withEnvironment({ ...keys, AWS_PROFILE: '', AWS_ENDPOINT_URL: 'http://127.0.0.1:1' });
  await expect(identityIn({ region })).rejects.toThrow(/^AWS can't be reached: .*ECONNREFUSED/);
  await expect(stackDeployment('Stack', region)).rejects.toThrow(
    /^The stack Stack can't be read in eu-west-1: AWS can't be reached: /,
  );
});
