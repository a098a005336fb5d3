import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import budget from '../../../bench/capacity-budget.json';
import { api } from '../../../core/api/index.ts';
import { drawn } from '../../support/api-arbitraries.ts';

/**
 * What each operation needs besides its contract: an entry in the capacity budget and a command of the model.
 */
const held: Readonly<Record<string, { readonly capacity: string; readonly model: string }>> = {
  createLink: { capacity: 'create link', model: 'createLink' },
  createLinks: { capacity: 'create 4 links in bulk', model: 'createLinks' },
  listLinks: { capacity: 'list links', model: 'listLinks' },
  getLink: { capacity: 'get link', model: 'getLink' },
  updateLink: { capacity: 'update link', model: 'updateLink' },
  updateLinkStatus: { capacity: 'update link status', model: 'setStatus' },
  deleteLink: { capacity: 'delete link', model: 'deleteLink' },
  checkCode: { capacity: 'check code', model: 'checkCode' },
  createMobileApp: { capacity: 'create mobile app', model: 'createApp' },
  listMobileApps: { capacity: 'list mobile apps', model: 'listApps' },
  getMobileApp: { capacity: 'get mobile app', model: 'getApp' },
  updateMobileApp: { capacity: 'update mobile app', model: 'updateApp' },
  deleteMobileApp: { capacity: 'delete mobile app', model: 'deleteApp' },
  getAnalytics: { capacity: 'analytics of a link', model: 'countClicks' },
  getUsage: { capacity: 'usage', model: 'getUsage' },
};

const folder = path.join(import.meta.dirname, '../../e2e');
// The fuzz and the generated client call everything; that doesn't test one operation's behaviour.
const tests = readdirSync(folder)
  .filter((file) => !/fuzz|model|description/.test(file))
  .map((file) => readFileSync(path.join(folder, file), 'utf8'))
  .join('\n');

test.each(Object.entries(api))('%s has a capacity entry, a model command and an e2e test', (id, contract) => {
  const { capacity = '', model = '' } = held[id] ?? {};
  expect(budget).toHaveProperty([capacity]);
  expect(drawn).toHaveProperty([model]);
  // As tests write a path: with a code or an id in the place of its parameter.
  const written = contract.path.replaceAll(/\{\w+\}/g, "[^/?'`]+");
  expect(tests).toMatch(new RegExp(`'${contract.method}',\\s*['\`]${written}['\`?]`));
});
