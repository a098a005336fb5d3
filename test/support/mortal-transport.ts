import type { Transport } from '../../core/table/items.ts';

/** The transport of a function that is killed after this many calls; its invocation never settles. */
export const mortal = (send: Transport, callsLeft: number) => {
  const { promise: death, resolve: die } = Promise.withResolvers<'died'>();
  let left = callsLeft;
  const doomed: Transport = async (sent) => {
    left -= 1;
    if (left < 0) {
      die('died');
      return new Promise(() => undefined);
    }
    const answer = await send(sent);
    // The call was carried out, but its response is lost.
    if (left === 0) die('died');
    return left === 0 ? new Promise(() => undefined) : answer;
  };
  return { send: doomed, death };
};
