const { once } = require('node:events');
const { rmSync } = require('node:fs');

/** Ends the stack that files shared. */
module.exports = async () => {
  const { sharedStack } = globalThis;
  if (sharedStack.exitCode === null) {
    const ended = once(sharedStack, 'exit');
    sharedStack.disconnect();
    await ended;
  }
  rmSync(process.env.SHARED_STACK, { recursive: true, force: true });
};
