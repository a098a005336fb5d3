import { changesData, mayCall } from '../../console/calls/call-contracts.ts';

test.each([
  ['links', true, true, false],
  ['codeIsFree', true, true, false],
  ['createLink', false, true, true],
  ['deleteApp', false, true, true],
  ['projects', true, true, false],
] as const)('%s: viewers %p, editors %p, changes data %p', (name, viewers, editors, changes) => {
  const found = [mayCall(name), mayCall(name, 'viewer'), mayCall(name, 'editor'), changesData(name)];
  expect(found).toEqual([viewers, viewers, editors, changes]);
});
