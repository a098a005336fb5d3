import type { ListedLink } from '../types.ts';
import { ownerTag, type Wanted, type WantedLinks } from './link-file.ts';
import { changesBetween, type FieldChange, linkStateOf } from './link-state.ts';

/** A link that the service has. */
export type Present = Pick<
  ListedLink,
  'code' | 'name' | 'tags' | 'payload' | 'expiresAt' | 'status' | 'blocked'
>;

/** The state of a code: a link, free, or taken by a deleted link. */
export type Found = Present | 'free' | 'taken';

type Action = 'create' | 'update' | 'pause' | 'activate' | 'unchanged' | 'refused' | 'orphan';

export interface Step {
  readonly action: Action;
  readonly code: string;
  readonly owner: string;
  /** Changes of an update, including the status. */
  readonly changes?: readonly FieldChange[];
  /** Whether a new link begins paused. */
  readonly begins?: 'paused';
  /** Reason of a refusal. */
  readonly reason?: string;
  /** Whether an orphan will be paused. */
  readonly pauses?: boolean;
}

export interface PlanOptions {
  /** Whether to take over links without an owner. */
  readonly adopt?: boolean;
  readonly orphans: 'keep' | 'pause';
}

/** The service's links for the codes and owners of the files. */
export interface Inventory {
  /** By code, for every code of the files. */
  readonly found: ReadonlyMap<string, Found>;
  /** Links with the tag of one of the files' owners. */
  readonly owned: readonly Present[];
}

/** The steps that apply the files to the service, by code. */
export const stepsOf = (wanted: WantedLinks, { found, owned }: Inventory, options: PlanOptions): Step[] => {
  const steps = [...wanted.links.values()].map((link) =>
    stepOf(link, found.get(link.code) ?? 'free', options),
  );
  const orphans = owned
    .filter(({ code }) => !wanted.links.has(code))
    .map((link) => orphanOf(link, wanted.owners, options));
  return [...steps, ...orphans].sort((one, other) => (one.code < other.code ? -1 : 1));
};

/** The step of one link. */
export const stepOf = (wanted: Wanted, found: Found, { adopt }: Pick<PlanOptions, 'adopt'>): Step => {
  const { code, owner, state, status } = wanted;
  const step = (action: Action, more: Partial<Step> = {}): Step => ({ action, code, owner, ...more });
  const refused = (reason: string) => step('refused', { reason });
  if (found === 'taken') return refused('a deleted link had this code, which stays taken');
  if (found === 'free') return step('create', status === 'PAUSED' ? { begins: 'paused' as const } : {});

  const owners = ownersOf(found);
  const other = owners.find((one) => one !== owner);
  if (other !== undefined) return refused(`it belongs to ${other}`);
  if (owners.length === 0 && !adopt) return refused('it has no owner; --adopt takes it over');

  const content = changesBetween(linkStateOf(found), state);
  const hasExpired = found.status === 'EXPIRED';
  const turns = !hasExpired && found.status !== status;
  if (content.length === 0 && !turns) return step('unchanged');
  if (found.blocked) return refused('the operator of the service has blocked it');
  if (hasExpired) return refused('it has expired and stays as it is');
  if (content.length === 0) return step(status === 'PAUSED' ? 'pause' : 'activate');
  const statusChange = turns ? [{ field: 'status', from: found.status, to: status }] : [];
  return step('update', { changes: [...content, ...statusChange] });
};

const orphanOf = (link: Present, owners: readonly string[], { orphans }: PlanOptions): Step => {
  const theirs = ownersOf(link);
  const owner = owners.find((one) => theirs.includes(one)) ?? '';
  const pauses = orphans === 'pause' && theirs.length === 1 && link.status === 'ACTIVE';
  return { action: 'orphan', code: link.code, owner, pauses };
};

const ownersOf = ({ tags = [] }: Present): string[] =>
  tags.filter((tag) => tag.startsWith(ownerTag(''))).map((tag) => tag.slice(ownerTag('').length));

/** Whether applying a step changes something. */
export const isChange = ({ action, pauses }: Step): boolean =>
  ['create', 'update', 'pause', 'activate'].includes(action) || pauses === true;
