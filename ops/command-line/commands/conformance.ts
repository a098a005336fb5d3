import { UsageError } from '../../base/operator-error.ts';
import { command, flag, optional, read } from '../command.ts';

export const conformanceCommands = [
  command('conformance', {
    summary: 'Check a service against the routing corpus: follow every kind of link as every kind of visitor',
    place: [],
    options: {
      base: read(
        {
          placeholder: 'URL',
          description:
            "the short URLs without their codes, such as https://go.example.com (default: from the API's responses)",
        },
        webAddress,
      ),
      api: read(
        {
          placeholder: 'URL',
          description:
            "the API without /1.0: creates the corpus' links and saved apps there, and deletes them at the end",
        },
        webAddress,
      ),
      key: optional('KEY', 'an API key for it, with the scopes links:write, links:delete and apps:write'),
      links: flag(
        "print the corpus' links for link import; without --api, the service must have them under these codes",
      ),
    },
    run: async ({ base, api, key, links }, { isJson, print, progress, fail }) => {
      const { examine, linkRows } = await import('../../conformance/conformance.ts');
      if (links) {
        print(linkRows().join('\n'));
        return undefined;
      }
      if (base === undefined && api === undefined) throw new UsageError('Give --base or --api');
      if ((api === undefined) !== (key === undefined)) throw new UsageError('--api and --key go together');
      const { visits, wrong } = await examine({
        base,
        ...(api && key && { api: { apiBaseUrl: api, apiKey: key } }),
      });
      if (wrong.length > 0) fail();
      if (isJson) return { visits, wrong };
      for (const line of wrong) progress(line);
      print(`${visits} visits, ${wrong.length} of them differ from the corpus`);
      return undefined;
    },
  }),
];

function webAddress(text: string, name: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text.replace(/\/$/, '');
  throw new UsageError(`${name} must be an http or https address`);
}
