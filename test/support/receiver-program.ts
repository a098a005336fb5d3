import { appendFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A webhook receiver that can be killed. It appends accepted events to its file; while a second file exists, it refuses
 * events and records that there. Prints its port.
 */
const [port, file = '', failing = ''] = process.argv.slice(2);
createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (existsSync(failing)) {
    appendFileSync(failing, `${body}\n`);
    return void response.writeHead(500).end();
  }
  appendFileSync(file, `${request.headers['webhook-id']} ${body}\n`);
  response.writeHead(204).end();
}).listen(Number(port), '127.0.0.1', function (this: ReturnType<typeof createServer>) {
  console.log((this.address() as AddressInfo).port);
});
