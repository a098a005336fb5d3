import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of webhooks that can be killed: what it has answered is a line of its file. Prints its port. */
const [port, file = ''] = process.argv.slice(2);
createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  appendFileSync(file, `${request.headers['webhook-id']} ${body}\n`);
  response.writeHead(204).end();
}).listen(Number(port), '127.0.0.1', function (this: ReturnType<typeof createServer>) {
  console.log((this.address() as AddressInfo).port);
});
