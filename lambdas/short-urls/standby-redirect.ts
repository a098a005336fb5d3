import type { UsesOf } from '../../core/functions.ts';
import type { Granted } from '../../core/stores.ts';
import type { VisitorWrite } from '../../core/visits/click-store.ts';
import { busyPageResponse, type Handler } from './busy.ts';
import { type RedirectProps, redirect } from './redirect.ts';
import { isOnlyAtHome, type StandbyProps, standingIn } from './standby.ts';

interface Props extends Omit<RedirectProps, 'stores' | 'visitorSecret'>, Pick<StandbyProps, 'readSecret'> {
  readonly stores: Granted<UsesOf<'standby-redirect'>>;
}

/** The redirect of the second region: it only reads, and keeps clicks in a queue for the first one. */
export const standbyRedirect = ({
  stores: { shortLinks, standby },
  readSecret,
  ...props
}: Props): Handler => {
  // The first region may have counted the visit before its response was lost.
  const record = (write: VisitorWrite) => props.enqueueClick({ write, isSure: false });
  const enqueueClick: typeof props.enqueueClick = ({ write }) => record(write);
  const stores = {
    shortLinks: {
      ...shortLinks,
      async find(...asked: Parameters<typeof shortLinks.find>) {
        const found = await shortLinks.find(...asked);
        return found && (await standby.isHidden(found)) ? undefined : found;
      },
      // Only the debug page shows it.
      association: async () => undefined,
    },
    clicks: { record },
    excluded: { add: async () => undefined },
  };
  return standingIn({
    standby,
    readSecret,
    busy: busyPageResponse,
    open: (visitorSecret) => {
      const answer = redirect({ ...props, stores, enqueueClick, visitorSecret });
      return async (event) => (isOnlyAtHome(event) ? busyPageResponse(event) : answer(event));
    },
  });
};
