import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { visitorReads } from '../../core/cached-reads/visitor-reads.ts';
import type { NewLink } from '../../core/links/link-store.ts';
import { isLive, shortLinkStore } from '../../core/short-urls/short-link-store.ts';
import { openStores } from '../../core/stores.ts';
import { ensureTables } from '../../local/tables/tables.ts';
import type { DeploymentAccess } from '../../ops/deployment/deployment.ts';
import { takedownRecord } from '../../ops/deployment/takedown-record.ts';
import { findLinks, type LinkView } from '../../ops/links/links.ts';
import { createProject } from '../../ops/projects/projects.ts';
import { aLinkDraft, unique } from './builders.ts';
import { startTable, type TestTable, tableName } from './engine.ts';
import { openWholeTable } from './lean-table.ts';
import { ofFile } from './of-file.ts';
import { recordProperties } from './table-properties.ts';

interface Owned {
  readonly project: string;
}

export interface TestDeployment extends DeploymentAccess {
  readonly db: TestTable;
  stop(): Promise<void>;
}

/** The deployment of a file's tests. */
export const fileDeployment = (): TestDeployment => ofFile(startDeployment);

/** Creates a project; resolves to its id. */
export const projectIn = async (deployment: DeploymentAccess): Promise<string> => {
  const id = unique('shop');
  await createProject(deployment, { id });
  return id;
};

/** Stores a link in a project that exists. */
export const storeLink = async (
  { stores }: Pick<TestDeployment, 'stores'>,
  fields: Partial<NewLink> & Owned,
) =>
  stores.links.create(aLinkDraft(fields), {
    project: await stores.projects.get(fields.project),
    generateCode: () => 'unused',
  });

/** Whether a visitor whose function has cached nothing is redirected, by this table. */
export const isRedirected = async (
  { db }: Pick<TestDeployment, 'db'>,
  place: { readonly project: string; readonly code: string },
  name = tableName,
): Promise<boolean> => {
  const links = shortLinkStore(visitorReads(openWholeTable(db.endpoint, { name })), 'go.example');
  const found = await links.find({ folder: place.project, code: place.code }, 'go.example');
  return found !== undefined && isLive(found, new Date());
};

/** A project's links that match a filter. */
export const searchLinks = async (...search: Parameters<typeof findLinks>): Promise<LinkView[]> =>
  (await findLinks(...search)).links;

export const recordName = 'takedowns-under-test';

/** A deployment with only tables, for the operators' library. */
export const startDeployment = async (): Promise<TestDeployment> => {
  const db = await startTable();
  const arn = `arn:aws:dynamodb:us-east-1:000000000000:table/${recordName}`;
  const properties = { ...recordProperties, TableName: recordName };
  await ensureTables(db.endpoint, [{ id: 'Record', name: recordName, arn, properties }]);
  return {
    db,
    stop: db.stop,
    stores: openStores(db.table),
    takedowns: takedownRecord(openWholeTable(db.endpoint, { name: recordName })),
    shortBase: 'https://go.example',
    apiBase: 'https://api.test',
    tableName,
    takedownTable: recordName,
    access: {
      endpoint: db.endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    },
  };
};

/** Writes the stack.json by which commands find a deployment's tables. */
export const writeFacts = (folder: string, deployment: DeploymentAccess): void => {
  const {
    apiBase: ApiBaseUrl,
    shortBase: ShortBaseUrl,
    tableName: TableName,
    takedownTable,
    access,
  } = deployment;
  const outputs = { ApiBaseUrl, ShortBaseUrl, TableName, TakedownTable: takedownTable };
  const facts = { outputs, services: { dynamodb: access.endpoint } };
  writeFileSync(path.join(folder, 'stack.json'), JSON.stringify(facts));
};
