import { UsageError } from '../../../ops/base/operator-error.ts';
import { runCommand } from '../../support/command.ts';

/* Every line as a person sees it after a near miss. No stack runs here, so nothing can be done. */

const errorOf = async (line: string) => (await runCommand(line.split(' '))).error;

test.each([
  // Nouns.
  ['lnik list', "Unknown command 'lnik list'. Did you mean 'link list'?"],
  ['lnik', "Unknown command 'lnik'. Did you mean 'link list'?"],
  ['links', "Unknown command 'links'. Did you mean 'link list'?"],
  ['Link list', "Unknown command 'Link list'. Did you mean 'link list'?"],
  ['proejct show acme', "Unknown command 'proejct show'. Did you mean 'project show'?"],
  ['hosts', "Unknown command 'hosts'. Did you mean 'domain list'?"],
  ['host list', "Unknown command 'host list'. Did you mean 'domain list'?"],
  ['strat', "Unknown command 'strat'. Did you mean 'start'?"],
  ['preflight-check', "Unknown command 'preflight-check'; see 'npx dls --help'"],
  ['serve', "Unknown command 'serve'. Did you mean 'start'?"],
  ['castle build', "Unknown command 'castle build'; see 'npx dls --help'"],
  // Verbs.
  ['link lst', "Unknown command 'link lst'. Did you mean 'link list'?"],
  ['link rm x', "Unknown command 'link rm'. Did you mean 'link delete'?"],
  ['link remove x', "Unknown command 'link remove'. Did you mean 'link delete'?"],
  ['link stop x', "Unknown command 'link stop'. Did you mean 'link pause'?"],
  ['link frobnicate', "Unknown command 'link frobnicate'; see 'npx dls link --help'"],
  ['key delete x', "Unknown command 'key delete'. Did you mean 'key revoke'?"],
  ['domain add go.acme.com', "Unknown command 'domain add'. Did you mean 'domain assign'?"],
  ['domain rm go.acme.com', "Unknown command 'domain rm'. Did you mean 'domain remove'?"],
  ['webhook add https://x.example', "Unknown command 'webhook add'. Did you mean 'webhook create'?"],
  ['webhook stop wh_1', "Unknown command 'webhook stop'. Did you mean 'webhook pause'?"],
  ['member create a@b.c', "Unknown command 'member create'. Did you mean 'member add'?"],
  [
    'member add a@b@c --project x --role viewer',
    'EMAIL must be an email address: printable ASCII without spaces, one @, at most 254 characters',
  ],
  ['destination ban x.example', "Unknown command 'destination ban'. Did you mean 'destination block'?"],
  ['link --data x lsit', "Unknown command 'link lsit'. Did you mean 'link list'?"],
  // Only a verb, or none.
  ['ls', "Unknown command 'ls'. Did you mean 'link list' or 'project list' or 'key list'?"],
  ['import', "Unknown command 'import'. Did you mean 'link import'?"],
  ['link', "'link' needs a subcommand; see 'npx dls link --help'"],
  ['analytics', "Unknown command 'analytics'. Did you mean 'link analytics' or 'project analytics'?"],
  ['version', "Unknown command 'version'. Did you mean '--version'?"],
  ['help lnik list', "There is no command 'lnik list'. Did you mean 'link list'?"],
  ['qr x', "Unknown command 'qr': a link's QR code is at its short URL with /qr.png or /qr.svg at the end"],
  ['help castle --data D', "There is no command 'castle'; 'npx dls help' lists them"],
  ['help castle', "There is no command 'castle'; 'npx dls help' lists them"],
  // Options.
  ['--verison', "Unknown option '--verison'. Did you mean '--version'?"],
  ['key list --projekt=acme', "Unknown option '--projekt'. Did you mean '--project'?"],
  ['link export --output=x', "Unknown option '--output'. Did you mean '--out'?"],
  ['project analytics --interval=7d', "Unknown option '--interval'. Did you mean '--days'?"],
  ['link import f --dryrun --project x', "Unknown option '--dryrun'. Did you mean '--dry-run'?"],
  ['link create --project x --alias y', "Unknown option '--alias'. Did you mean '--code'?"],
  ['link create --project x --slug y', "Unknown option '--slug'. Did you mean '--code'?"],
  ['link create --project x --url y', "Unknown option '--url'. Did you mean '--link'?"],
  ['link create --project x --title y', "Unknown option '--title'. Did you mean '--name'?"],
  ['link create --project x --expires-at y', "Unknown option '--expires-at'. Did you mean '--expires'?"],
  ['link create --project x --utm_source y', "Unknown option '--utm_source'. Did you mean '--utm-source'?"],
  [
    'link create --project x --ios-appstore-id 1',
    "Unknown option '--ios-appstore-id'. Did you mean '--ios-app-store-id'?",
  ],
  [
    'link create https://x.example/ --project x --android com.x',
    "Unknown option '--android'. Did you mean '--android-package' or '--android-store-fallback' or '--android-min-version'?",
  ],
  ['cost --hits 5', "Unknown option '--hits'. Did you mean '--visits'?"],
  ['link list --project x --all --limit 5', 'Give either --all or --limit N'],
  ['link list --project x --hopes', "Unknown option '--hopes'; see 'npx dls link list --help'"],
  // Arguments.
  [
    'link create https://x.example/ https://y.example/ --project x',
    "Too many arguments: 'https://y.example/'. Expected 1 argument but got 2; see 'npx dls link create --help'",
  ],
  [
    'link create https://x.example/ --link https://x.example/ --project x',
    'Give the destination once: as the argument or by --link',
  ],
  ['link create --project x', 'Give the destination, or --file with the body of POST /links'],
  [
    'link create https://x.example/',
    "Required option '--project ID' not specified; see 'npx dls link create --help'. DLS_PROJECT also sets it; 'npx dls project list' lists projects",
  ],
  [
    'link create https://x.example/ --project x --query merg',
    "Option '--query merge|append|ignore' argument 'merg' is invalid. Allowed choices are merge, append, ignore; see 'npx dls link create --help'",
  ],
  [
    'domain assign https://go.acme.com/x --project p',
    "'https://go.acme.com/x' is an address. Did you mean 'go.acme.com'?",
  ],
  [
    'domain assign GO.Müller.example./x --project p',
    "'GO.Müller.example./x' is an address. Did you mean 'go.xn--mller-kva.example'?",
  ],
  [
    'link import f --project x --host https://go.acme.com/x',
    "'https://go.acme.com/x' is an address. Did you mean 'go.acme.com'?",
  ],
])('dls %s does nothing, and suggests the right call', async (line, message) => {
  const error = await errorOf(line);
  expect(error).toBeInstanceOf(UsageError);
  expect(error).toMatchObject({ message, exitCode: 2 });
});
