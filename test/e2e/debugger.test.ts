import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../support/folder.ts';
import { eventually } from '../support/local-stack.ts';

const root = path.join(import.meta.dirname, '../..');
const source = path.join(root, 'lambdas/short-urls/redirect.ts');

// biome-ignore lint/suspicious/noExplicitAny: messages of the inspector's protocol
type Message = any;

test('a breakpoint in the source of a function stops its thread', async () => {
  const data = newFolder();
  const ports = ['--api-port', '0', '--short-port', '0', '--console-port', '0'];
  const flags = ['--inspect=127.0.0.1:0', 'ops/dls.js', 'start', '--memory', '--data', data, ...ports];
  const stack = spawn(process.execPath, flags, { cwd: root });
  let printed = '';
  for (const stream of [stack.stdout, stack.stderr]) stream.on('data', (chunk) => (printed += chunk));
  try {
    await eventually(
      async () => printed,
      (text) => text.includes('Ctrl-C stops') || stack.exitCode !== null,
    );
    const [address = ''] = /ws:\S+/.exec(printed) ?? [];
    const { shortBaseUrl } = JSON.parse(readFileSync(path.join(data, 'stack.json'), 'utf8'));
    const inspector = new WebSocket(address);
    await once(inspector, 'open');
    let id = 0;
    const send = (method: string, params: object) => {
      id += 1;
      inspector.send(JSON.stringify({ id, method, params }));
    };
    const tell = (sessionId: string, method: string, params: object = {}) => {
      id += 1;
      send('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id, method, params }) });
    };
    let at = '';
    inspector.onmessage = ({ data: text }) => {
      const { method, params }: Message = JSON.parse(text);
      if (method === 'NodeWorker.attachedToWorker') return tell(params.sessionId, 'Debugger.enable');
      if (method !== 'NodeWorker.receivedMessageFromWorker') return;
      const { sessionId } = params;
      const inner: Message = JSON.parse(params.message);
      if (inner.method === 'Debugger.scriptParsed' && inner.params.url.endsWith('/index.mjs')) {
        const place = generatedAt(inner.params.url);
        if (place) tell(sessionId, 'Debugger.setBreakpointByUrl', { url: inner.params.url, ...place });
      }
      if (inner.method !== 'Debugger.paused') return;
      at = inner.params.hitBreakpoints.join();
      tell(sessionId, 'Debugger.resume');
    };
    send('NodeWorker.enable', { waitForDebuggerOnStart: false });
    // The first visit loads the function. Others may come before its breakpoint is set.
    const visit = () => fetch(`${shortBaseUrl}/nothing`, { redirect: 'manual' });
    await eventually(
      async () => (await visit()).status,
      (status) => status === 404 && at !== '',
    );
    expect(at).toMatch(/\/index\.mjs$/);
    inspector.close();
  } finally {
    stack.kill('SIGKILL');
  }
});

/** Where the first line of the redirect's handler is in a bundle, by its map, as a debugger finds it. */
const generatedAt = (url: string): { lineNumber: number; columnNumber: number } | undefined => {
  const file = fileURLToPath(url);
  const map = JSON.parse(readFileSync(`${file}.map`, 'utf8'));
  const lines = readFileSync(source, 'utf8').split('\n');
  const wanted = lines.findIndex((line) => line.includes('await shortLinks'));
  const known = new SourceMap(map);
  for (const [lineNumber, text] of readFileSync(file, 'utf8').split('\n').entries())
    for (let columnNumber = 0; columnNumber < text.length; columnNumber += 1) {
      const entry = known.findEntry(lineNumber, columnNumber);
      if (!('originalSource' in entry) || entry.originalLine !== wanted) continue;
      if (path.resolve(path.dirname(file), entry.originalSource) === source)
        return { lineNumber, columnNumber };
    }
  return undefined;
};
