import { access } from '../../core/table/access.ts';
import { partitions } from '../../core/table/keys.ts';
import { assemble } from '../../dev/app.ts';
import type { Assembly } from '../../local/assembly/assembly.ts';
import { readAssembly } from '../../local/assembly/read-assembly.ts';
import { keepSecrets } from '../../local/assembly/secrets.ts';
import { policyOf } from '../../local/iam/policy.ts';
import { ofFile } from '../support/of-file.ts';

const context = { region: 'us-east-1', standby: 'us-west-2' };
const assembly = ofFile<Assembly>(async () => {
  const authorities = new Proxy({}, { get: () => '127.0.0.1:1' });
  return readAssembly(await assemble(context), { authorities, secrets: keepSecrets() });
});

const actions = [...new Set(Object.values(access).flatMap((one) => Object.keys(one)))].concat('Scan');
const keys = Object.values(partitions).map((start) => (start.endsWith('#') ? `${start}acme` : start));

/** The actions that roles in a region may take on items of a table, with the kinds of these. */
const allowed = (region: string, tableId: RegExp, names = /./): string[] => {
  const resource = assembly.tables.find(({ id }) => tableId.test(id))?.arn;
  if (!resource) throw new Error(`There is no table ${tableId}`);
  const roles = assembly.functions.filter((one) => one.region === region && names.test(one.id));
  return roles.flatMap(({ id, statements }) => {
    const decide = policyOf({ name: id, statements });
    return actions.flatMap((action) =>
      keys
        .filter((key) => {
          const access = { action: `dynamodb:${action}`, resource, leadingKeys: [key] };
          return decide(access).kind !== 'denied by no statement';
        })
        .map((key) => `${action} ${key}`),
    );
  });
};

test("no role of the second region may do anything with the first region's table", () => {
  expect(assembly.functions.filter(({ region }) => region === 'us-west-2')).toHaveLength(3);
  expect(allowed('us-west-2', /^DataTable/)).toEqual([]);
});

test('roles of the second region only read its table, and nothing about keys, members, webhooks and visitors', () => {
  const own = [...new Set(allowed('us-west-2', /^Copy/))].sort();
  const kinds = ['ASSOCIATIONS', 'DOMAIN#acme', 'HOME', 'LINK#acme', 'PROJECT#acme'];
  expect(own).toEqual([
    ...kinds.map((key) => `GetItem ${key}`),
    ...['ASSOCIATIONS', 'DENIED', 'STANDBYDENIED', 'SUSPENDED'].map((key) => `Query ${key}`),
  ]);
});

test("in the first region, only the copier may write to the second one's table: what it copies", () => {
  const kinds = ['ASSOCIATIONS', 'DENIED', 'DOMAIN#acme', 'LINK#acme', 'PROJECT#acme', 'SUSPENDED'];
  const copied = ['DeleteItem', 'PutItem'].flatMap((action) => kinds.map((key) => `${action} ${key}`));
  expect(allowed('us-east-1', /^Copy/).sort()).toEqual([...copied, 'UpdateItem HOME']);
  expect(allowed('us-east-1', /^Copy/, /CopyItems/)).toHaveLength(copied.length + 1);
});
