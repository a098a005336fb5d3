import * as fc from 'fast-check';
import { codePattern } from '../../../core/links/link.ts';
import { projectIdPattern } from '../../../core/projects/project.ts';
import {
  apiKeyKey,
  excludedKey,
  linkOfVisitor,
  listedLinkKey,
  ownerOfPartition,
  projectKey,
  suspendedKey,
  visitorKey,
} from '../../../core/table/keys.ts';

const code = fc.stringMatching(codePattern);
const project = fc.stringMatching(projectIdPattern);

test("a visitor's key contains its link", () => {
  fc.assert(
    fc.property(project, code, fc.stringMatching(/^[\w-]{22}$/), (ofProject, ofCode, visitor) => {
      expect(linkOfVisitor(visitorKey(ofProject, ofCode, visitor).PK)).toEqual({
        project: ofProject,
        code: ofCode,
      });
    }),
  );
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
