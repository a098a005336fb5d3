import { createServer } from 'node:http';
import { sharedHold } from '../../engine/sqlite/held-records.ts';
import { openSqliteEngine } from '../../engine/sqlite/sqlite-engine.ts';

/** An engine that is a program of its own. */
const [, , port = '', folder = ''] = process.argv;
const engine = openSqliteEngine({ folder, held: sharedHold() });
createServer(async (incoming, outgoing) => {
  const body = await incoming.toArray();
  const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
  const { status, text } = await engine.call(operation, JSON.parse(Buffer.concat(body).toString()));
  outgoing.writeHead(status).end(text);
}).listen(Number(port), '127.0.0.1');
