import { runAdmin } from '../../ops/command-line/program.ts';
import type { AdminOutcome, AdminRequest } from './admin-process.ts';

/** Runs admin commands for tests, one per message, as ops/command-line/run-program.ts does. */
const run = async ({ args, input }: AdminRequest): Promise<Omit<AdminOutcome, 'id'>> => {
  let [stdout, stderr] = ['', ''];
  const terminal = {
    print: (text: string) => {
      stdout += `${text}\n`;
    },
    write: async (text: string) => {
      stdout += text;
    },
    progress: (text: string) => {
      stderr += `${text}\n`;
    },
    input: async () => input,
  };
  try {
    const ok = await runAdmin(args, terminal);
    return { code: ok ? 0 : 1, stdout, stderr };
  } catch (error) {
    return { code: 1, stdout, stderr: `${stderr}${error instanceof Error ? error.message : error}\n` };
  }
};

process.on('message', async (request: AdminRequest) => {
  process.send?.({ id: request.id, ...(await run(request)) });
});
// Ends with the test process, however that ends.
process.on('disconnect', () => process.exit());
