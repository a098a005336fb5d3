import { NoEngine } from '../../engine/dynoxide.ts';
import { startEngine } from '../../engine/engine.ts';

const kept = { ...process.env };
const [platform, arch] = (['platform', 'arch'] as const).map((name) =>
  Object.getOwnPropertyDescriptor(process, name),
);
afterEach(() => {
  process.env = { ...kept };
  Object.defineProperties(process, { ...(platform && { platform }), ...(arch && { arch }) });
});

test.each([
  ['win32', "run 'npm install --no-save @dynoxide/win32-x64@1.2.1'"],
  ['darwin', "run 'npm install --no-save @dynoxide/darwin-x64@1.2.1'"],
  ['sunos', 'put an executable of dynoxide on the PATH'],
])('on %s without an engine, the error says what to do', async (system, cure) => {
  process.env.PATH = '/nowhere';
  Object.defineProperty(process, 'platform', { value: system });
  Object.defineProperty(process, 'arch', { value: 'x64' });
  await expect(startEngine({ engine: 'dynoxide' })).rejects.toEqual(
    new NoEngine(`There is no DynamoDB engine for ${system}-x64 here: ${cure}, or choose another engine`),
  );
});
