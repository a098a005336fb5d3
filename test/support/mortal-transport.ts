import type { Transport } from '../../core/table/port.ts';

/** A function that dies: no call of it goes out after this many, and its invocation never answers. */
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
    // The call was carried out, and nobody is there for its answer.
    if (left === 0) die('died');
    return left === 0 ? new Promise(() => undefined) : answer;
  };
  return { send: doomed, death };
};
