const { once } = require('node:events');
const { rmSync } = require('node:fs');

/** Ends the stacks that files shared. */
module.exports = async () => {
  for (const stack of globalThis.sharedStacks.values()) {
    if (stack.exitCode !== null) continue;
    const ended = once(stack, 'exit');
    stack.disconnect();
    await ended;
  }
  rmSync(process.env.SHARED_STACKS, { recursive: true, force: true });
};
