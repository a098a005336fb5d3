import { parseArgs } from 'node:util';
import { examine, linkRows } from '../ops/conformance/conformance.ts';
import { refuseKeptFlags, withFlagsAdvice } from '../ops/stray-argument.ts';

const help = `Checks a service against the routing corpus: follows every kind of link as every
kind of visitor.

  npm run conformance -- --base URL --api URL --key KEY
  npm run conformance -- --base URL
  npm run -s conformance -- --links

  --base URL   the short URLs without their codes, such as
               https://go.example.com or https://short.example.com/project
               (default: from the API's responses)
  --api URL    the API without /1.0: creates the corpus' links there, and
               deletes them at the end
  --key KEY    an API key for it, with the scopes links:write, links:delete and
               apps:write
  --links      print the corpus' links for "admin link import", one JSON object
               per line; without --api, the service must have them under these
               codes
  --help       show this help and do nothing else

The exit code is 0 if every visit matches the corpus, which is in
ops/conformance. A firewall that limits requests by address may refuse some of
the visits.
`;

const main = async (): Promise<void> => {
  const { values } = withFlagsAdvice(parse, 'npm run conformance -- --base URL');
  refuseKeptFlags({ name: 'conformance', flags: ['base', 'api', 'links'] }, process.env);
  if (values.help) return void process.stdout.write(help);
  if (values.links) return void process.stdout.write(`${linkRows().join('\n')}\n`);
  const { base, api, key } = values;
  if (base === undefined && api === undefined) throw new Error('Give --base or --api; --help shows how');
  if ((api === undefined) !== (key === undefined)) throw new Error('--api and --key go together');
  for (const [name, address] of Object.entries({ base, api })) {
    if (address !== undefined && !/^https?:$/.test(URL.parse(address)?.protocol ?? '')) {
      throw new Error(`--${name} must be an http or https address`);
    }
  }
  const { visits, wrong } = await examine({
    base: base?.replace(/\/$/, ''),
    ...(api && key && { api: { apiBaseUrl: api.replace(/\/$/, ''), apiKey: key } }),
  });
  for (const line of wrong) console.error(line);
  console.log(`${visits} visits, ${wrong.length} of them differ from the corpus`);
  process.exitCode = wrong.length > 0 ? 1 : 0;
};

const parse = () =>
  parseArgs({
    options: {
      base: { type: 'string' },
      api: { type: 'string' },
      key: { type: 'string' },
      links: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
