import { useMemo } from 'preact/hooks';
import type { LinkPayload } from '../../../core/links/payload-fields.ts';
import { linkWarnings } from '../../../core/pages/link-warnings.ts';
import type { CallOutput } from '../../calls/client.ts';
import { useCall } from '../../calls/use-call.ts';
import { type Draft, draftOf, routesOf } from './route-shares.ts';

export interface RoutedDraft extends Draft {
  /** Where each kind of visitor goes if no rule decides. */
  readonly routes: ReturnType<typeof routesOf>;
  /** Likely mistakes. */
  readonly warnings: readonly string[];
  /** The apps that open the project's short URLs; members don't see them. */
  readonly association: CallOutput<'routing'>['association'];
}

/** Stands for an unknown host: members of a project without links don't get it. */
const unknownBase = 'https://short.invalid';

/** A short URL for display, without an unknown host. */
export const shownShortUrl = (shortUrl: string): string => shortUrl.replace(`${unknownBase}/`, '…/');

interface Asked {
  readonly project: string;
  /** Empty if none is typed. */
  readonly code: string;
  readonly payload: object;
}

/** A payload's routes, computed in the page by the redirect's own code; undefined until the project's apps are loaded. */
export const useRouted = ({ project, code, payload }: Asked): RoutedDraft | undefined => {
  const apps = useCall('apps', { project }, project).data;
  const facts = useCall('routing', { project }, project).data;
  return useMemo(
    () => apps && facts && routedOf({ project, code, payload }, apps, facts),
    [code, payload, apps, facts],
  );
};

const routedOf = (
  { code, payload }: Asked,
  apps: CallOutput<'apps'>,
  { shortBase = unknownBase, association }: CallOutput<'routing'>,
): RoutedDraft => {
  const draft = draftOf(payload as LinkPayload, { shortUrl: `${shortBase}/${code || 'CODE'}`, apps });
  const warnings = linkWarnings(draft.link, draft.apps, association);
  return { ...draft, routes: routesOf(draft), warnings, association };
};
