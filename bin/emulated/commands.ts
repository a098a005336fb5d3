import { spawn } from 'node:child_process';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

interface Ran {
  readonly code: number | null;
  readonly out: string;
  /** Standard output and standard error, as a terminal shows them. */
  readonly printed: string;
}

/** The project's commands as an operator uses them, with every AWS call sent to one address. */
export interface Commands {
  /** Throws with its output if the CDK fails. */
  readonly cdk: (...args: string[]) => Promise<void>;
  readonly node: (...args: string[]) => Promise<Ran>;
}

export const commandsAt = (endpoint: string, region: string): Commands => {
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: 'emulated',
    AWS_SECRET_ACCESS_KEY: 'emulated',
    CI: 'true',
  };
  const node: Commands['node'] = (...args) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env });
      let out = '';
      let printed = '';
      child.stdout.on('data', (chunk) => {
        out += chunk;
        printed += chunk;
      });
      child.stderr.on('data', (chunk) => (printed += chunk));
      child.on('error', reject).on('close', (code) => resolve({ code, out, printed }));
    });
  return {
    node,
    cdk: async (...args) => {
      const { code, printed } = await node(path.join(root, 'node_modules/aws-cdk/bin/cdk'), ...args);
      if (code !== 0) throw new Error(`cdk ${args.join(' ')} failed:\n${printed.slice(-4000)}`);
    },
  };
};
