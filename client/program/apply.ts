import { type DynamicLinks, linksPerCall } from '../dynamic-links.ts';
import { DynamicLinksError } from '../failures.ts';
import type { CreatedLink, LinkChange, LinkDraft } from '../types.ts';
import { forEach, lookAt, type OnLookup } from './inventory.ts';
import type { Wanted, WantedLinks } from './link-file.ts';
import { type Found, isChange, type PlanOptions, type Step, stepOf } from './plan.ts';

export interface Failed {
  readonly code: string;
  readonly error: DynamicLinksError;
}

interface Applying {
  readonly client: DynamicLinks;
  readonly wanted: WantedLinks;
  /** The service's links when the plan was made, by code. */
  readonly found: ReadonlyMap<string, Found>;
  readonly options: PlanOptions;
}

/** Applies a plan. A failed step doesn't affect the others. */
export const applyPlan = async (
  steps: readonly Step[],
  applying: Applying,
  onProgress: OnLookup,
): Promise<Failed[]> => {
  const failed: Failed[] = [];
  const changes = steps.filter(isChange);
  const created = new Set<string>();
  for (const together of hundredsOf(changes.filter(({ action }) => action === 'create'))) {
    await createTogether(together, applying, created);
    onProgress(created.size, changes.length);
  }
  let done = created.size;
  const others = changes.filter(({ code }) => !created.has(code));
  await forEach(others, async (step) => {
    try {
      await applyStep(step, applying);
    } catch (error) {
      if (!(error instanceof DynamicLinksError)) throw error;
      failed.push({ code: step.code, error });
    }
    onProgress(++done, changes.length);
  });
  return failed.sort((one, other) => (one.code < other.code ? -1 : 1));
};

const hundredsOf = (steps: readonly Step[]): Step[][] =>
  Array.from({ length: Math.ceil(steps.length / linksPerCall) }, (_, index) =>
    steps.slice(index * linksPerCall, (index + 1) * linksPerCall),
  );

/** Creates links in bulk, for speed. Those that fail are tried separately, which reports the reason. */
const createTogether = async (
  steps: readonly Step[],
  { client, wanted }: Applying,
  created: Set<string>,
): Promise<void> => {
  const links = steps.flatMap(({ code }) => wanted.links.get(code) ?? []);
  try {
    const { results } = await client.links.createMany(links.map(linkDraftOf));
    for (const result of results)
      if (result.success && !isStillActive(result.link, wanted.links.get(result.link.code)))
        created.add(result.link.code);
  } catch {
    // Separate attempts report the reason.
  }
};

/** Whether a link that should be paused isn't: services before 1.4.0 ignore the status of a new link. */
const isStillActive = (made: Pick<CreatedLink, 'status'>, wanted: Wanted | undefined): boolean =>
  wanted?.status === 'PAUSED' && made.status !== 'PAUSED';

/** A link of a file in the API's form. */
export const linkDraftOf = ({ code, status, state: { name, tags, payload, expiresAt } }: Wanted) =>
  ({
    ...{ code, name, tags, payload, expiresAt },
    ...(status === 'PAUSED' && { status }),
  }) as unknown as LinkDraft;

/** Failures that a concurrent change may explain. */
const overtaken: readonly string[] = ['CODE_ALREADY_EXISTS', 'BAD_REQUEST', 'LINK_NOT_FOUND', 'LINK_EXPIRED'];

/** The most replans of a step after a concurrent change. Two runs with the same files agree after one. */
const reconsiderations = 3;

const applyStep = async (planned: Step, { client, wanted, found, options }: Applying): Promise<void> => {
  if (planned.action === 'orphan') return pauseOrphan(client, planned.code);
  const link = wanted.links.get(planned.code);
  if (!link) throw new Error(`No file has ${planned.code}`);
  let step = planned;
  let present = found.get(link.code) ?? 'free';
  for (let round = 0; isChange(step); round++) {
    try {
      return await carryOut(client, step, { wanted: link, present });
    } catch (error) {
      if (!(error instanceof DynamicLinksError) || !overtaken.includes(error.code)) throw error;
      present = await lookAt(client, link.code);
      step = stepOf(link, present, options);
      // A step that is now refused, or still fails, has failed. Otherwise, a concurrent run did the same.
      if (step.action === 'refused' || round === reconsiderations) throw error;
    }
  }
};

/** Pauses an orphan. One that is already paused or has expired is fine. */
const pauseOrphan = async (client: DynamicLinks, code: string): Promise<void> => {
  try {
    await client.links.setStatus(code, 'PAUSED');
  } catch (error) {
    const present = await lookAt(client, code);
    if (typeof present === 'object' && present.status === 'ACTIVE') throw error;
  }
};

/** Carries out a step. Pauses before and activates after the change, so that visitors never see unwanted content. */
const carryOut = async (
  client: DynamicLinks,
  { action }: Step,
  { wanted, present }: { readonly wanted: Wanted; readonly present: Found },
): Promise<void> => {
  const { code, status } = wanted;
  if (typeof present === 'string') {
    const made = await client.links.create(linkDraftOf(wanted));
    if (isStillActive(made, wanted)) await client.links.setStatus(code, status);
    return;
  }
  const turns = present.status !== status;
  if (turns && status === 'PAUSED') await client.links.setStatus(code, status);
  if (action === 'update') await client.links.update(code, replacing(present, wanted));
  if (turns && status === 'ACTIVE') await client.links.setStatus(code, status);
};

/** The change that makes a link equal to the file's: missing fields are cleared. */
const replacing = ({ payload: before }: Exclude<Found, string>, { state }: Wanted): LinkChange => {
  const cleared = Object.keys(before).map((name) => [name, null]);
  return {
    name: state.name ?? null,
    tags: state.tags,
    expiresAt: state.expiresAt ?? null,
    payload: { ...Object.fromEntries(cleared), ...state.payload },
  } as unknown as LinkChange;
};
