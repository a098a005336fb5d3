import * as fc from 'fast-check';
import { codePattern } from '../../../core/links/link.ts';
import { projectIdPattern } from '../../../core/projects/project.ts';
import { excludedKey, linkOfVisitor, opensKey, visitorKey } from '../../../core/table/analytics-keys.ts';
import {
  apiKeyKey,
  listedLinkKey,
  ownerOfPartition,
  projectKey,
  suspendedKey,
} from '../../../core/table/keys.ts';
import { visitorHash } from '../../../core/visits/visitor-identity.ts';

const code = fc.stringMatching(codePattern);
const project = fc.stringMatching(projectIdPattern);

test("a visitor's key contains its link", () => {
  fc.assert(
    fc.property(project, code, fc.stringMatching(/^[\w-]{22}$/), (ofProject, ofCode, visitor) => {
      expect(linkOfVisitor(visitorKey(ofProject, ofCode, visitor).PK)).toEqual({
        project: ofProject,
        code: ofCode,
        isGrouped: false,
      });
    }),
  );
  expect(linkOfVisitor('VISITOR#acme#launch#17')).toMatchObject({ code: 'launch', isGrouped: true });
});

const launch = { project: 'acme', code: 'launch', userAgent: 'Browser' };

test('all visitors of a link have one partition key, which does not change', () => {
  const hashes = Array.from({ length: 1000 }, (_, i) =>
    visitorHash('secret', { ...launch, address: `10.0.${i >> 8}.${i & 255}` }),
  );
  const keys = new Set(hashes.map((hash) => visitorKey('acme', 'launch', hash).PK));
  expect([...keys]).toEqual(['VISITOR#acme#launch#1']);
});

test.each([2, 16, 64])('%i groups of visitors are of one size', (groups) => {
  const counts = new Map<string, number>();
  const visitors = 250 * groups;
  for (let i = 0; i < visitors; i += 1) {
    const address = `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
    const hash = visitorHash('secret', { ...launch, address });
    const { PK } = visitorKey('acme', 'launch', hash, groups);
    if (i % 250 === 0) expect(opensKey('acme', 'launch', hash, groups).PK).toBe(PK);
    counts.set(PK, (counts.get(PK) ?? 0) + 1);
  }
  expect(counts.size).toBe(groups);
  for (const [PK, count] of counts) {
    expect(Math.abs(count - 250)).toBeLessThan(100);
    expect(linkOfVisitor(PK)).toEqual({ project: 'acme', code: 'launch', isGrouped: true });
  }
});

test("no other key looks like a visitor's", () => {
  expect(linkOfVisitor('LINK#acme#launch')).toBeUndefined();
  expect(linkOfVisitor('VISITOR#acme')).toBeUndefined();
  expect(linkOfVisitor('')).toBeUndefined();
});

test('partitions of a project name it, whatever the codes of its links', () => {
  fc.assert(
    fc.property(project, code, (ofProject, ofCode) => {
      for (const { PK } of [
        projectKey(ofProject),
        excludedKey(ofProject, ofCode),
        visitorKey(ofProject, ofCode, 'v'),
      ])
        expect(ownerOfPartition(PK)).toBe(ofProject);
    }),
  );
  for (const { PK } of [apiKeyKey('acme'), suspendedKey('acme')])
    expect(ownerOfPartition(PK)).toBeUndefined();
});

test("a project's links sort by creation", () => {
  const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(time, time, code, code, (a, b, codeA, codeB) => {
      fc.pre(a < b);
      const [first, second] = [
        listedLinkKey('acme', '2020', a.toISOString(), codeA),
        listedLinkKey('acme', '2020', b.toISOString(), codeB),
      ];
      expect(first.SK < second.SK).toBe(true);
    }),
  );
});
