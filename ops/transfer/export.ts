import { mobileAppResult } from '../../core/apps/mobile-app-schema.ts';
import { writeRecord } from '../../core/base/csv-cells.ts';
import { type Link, namedApps } from '../../core/links/link.ts';
import { columns, type FindApp, flatPayload, moreColumns } from '../../core/links/link-columns.ts';
import { fetchedLink } from '../../core/links/shown-link-schema.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type LinkView, shower } from '../links/links.ts';
import { findProject } from '../projects/projects.ts';
import { ownersStatus } from './held-fields.ts';

export const exportFormats = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Takes text, and resolves when it can take more. */
export type Sink = (text: string) => Promise<void>;

interface ExportRequest {
  readonly project: string;
  readonly format?: ExportFormat | undefined;
  /** Only links that have all of these. */
  readonly tags?: readonly string[] | undefined;
  /** Only links with these codes, in this order. */
  readonly codes?: readonly string[] | undefined;
  /** Receives notes about missing parts of an export. */
  readonly note?: (text: string) => void;
  /** Receives the number of links written, after each portion. */
  readonly onCount?: (links: number) => void;
}

/**
 * Writes every link of a project that isn't deleted, newest first, or the requested ones. Resolves to their number.
 * Throws OperatorError if there is no such project.
 */
export const exportLinks = async (deployment: Deployment, request: ExportRequest, sink: Sink) => {
  const { project: id, format = 'ndjson', tags = [], codes, note, onCount } = request;
  const project = await findProject(deployment, id);
  const show = await shower(deployment, project);
  const apps = new Map((await deployment.stores.apps.list(id)).map((app) => [app.id, app]));
  const find = (appId: string | undefined) => (appId === undefined ? undefined : apps.get(appId));
  const left = new Set<string>();
  const rowOf = format === 'csv' ? csvRow(left) : ndjsonRow;
  if (format === 'csv') await sink(writeRecord(columns.map(({ name }) => name)));
  let count = 0;
  const portions = codes ? chosen(deployment, id, codes) : deployment.stores.links.all(id, tags);
  for await (const portion of portions) {
    const shown = await show(portion);
    await sink(portion.flatMap(({ link }, i) => (shown[i] ? rowOf(shown[i], find, link) : [])).join(''));
    count += portion.length;
    onCount?.(count);
  }
  if (left.size > 0)
    note?.(
      `CSV has no columns for settings of some links: ${[...left].join(', ')}; the format ndjson keeps them`,
    );
  return count;
};

const portionSize = 100;

async function* chosen({ stores }: Deployment, project: string, codes: readonly string[]) {
  for (let first = 0; first < codes.length; first += portionSize)
    yield await stores.links.of(project, codes.slice(first, first + portionSize));
}

/** The response of `GET /links/{code}`, with the link's saved apps; a blocked link has its owner's status. */
const ndjsonRow = (link: LinkView, find: FindApp, stored: Link): string => {
  const apps = namedApps(link.payload).flatMap(({ id }) => find(id) ?? []);
  const row = { ...fetchedLink.parse(link), status: ownersStatus(stored, new Date()) };
  return `${JSON.stringify({ ...row, apps: apps.map((app) => mobileAppResult.parse(app)) })}\n`;
};

/** `left` gets the names of columns that the link would need. */
const csvRow =
  (left: Set<string>) =>
  (link: LinkView, find: FindApp): string => {
    const flat = { ...link, payload: flatPayload(link.payload, find) };
    for (const { name, show } of moreColumns) if (show(flat) !== undefined) left.add(name);
    if (flat.payload.rules) left.add('rules');
    return writeRecord(columns.map(({ show }) => String(show(flat) ?? '')));
  };
