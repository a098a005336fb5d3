import type { SettingName } from './settings.ts';
import type { StoreOperation } from './table/access.ts';

/** A function of the service that is not an endpoint of the API. */
export interface FunctionContract {
  readonly description: string;
  /** The store operations that it receives. Its role is granted their table actions. */
  readonly uses: readonly StoreOperation[];
  /** The settings that it receives as environment variables. */
  readonly reads: readonly SettingName[];
}

/** Functions by their entry files in `lambdas/`, except endpoints, which are in `core/api`. */
export const functions = {
  'aggregate-clicks': {
    description: 'Adds clicks to the analytics of their links',
    uses: ['analytics.add'],
    reads: ['clickExportStream', 'failuresBucket', 'figuresRetentionDays'],
  },
  'app-link': {
    description: "Returns a short URL's content to apps, and counts their opens",
    uses: ['shortLinks.find', 'shortLinks.apps', 'shortLinks.base', 'clicks.record'],
    reads: ['clickQueueUrl', 'shortDomain', 'visitorSecret'],
  },
  'copy-items': {
    description: "Copies changed items to the second region's table",
    uses: ['copies.beat', 'copies.item'],
    reads: ['clickQueueUrl', 'copyTable', 'standbyRegion', 'standbySecretArn'],
  },
  'forward-clicks': {
    description: 'Sends clicks that waited in the second region to the first one',
    uses: ['standby.home'],
    reads: ['homeRegion'],
  },
  'standby-redirect': {
    description: 'Redirects visitors in the second region while the first one is away',
    uses: [
      'shortLinks.find',
      'shortLinks.addresses',
      'shortLinks.apps',
      'shortLinks.recentStyle',
      'standby.home',
      'standby.isHidden',
    ],
    reads: ['abuseContact', 'clickQueueUrl', 'shortDomain', 'uniqueWindowSeconds'],
  },
  'standby-well-known': {
    description: 'Serves association files in the second region, and tells whether it could serve visitors',
    uses: ['hostShares.of', 'standby.home'],
    reads: ['abuseContact', 'shortDomain'],
  },
  authorize: {
    description: 'Finds the owner of an API key',
    uses: ['apiKeys.get', 'apiKeys.markUsed'],
    reads: ['planKeys', 'signIn'],
  },
  qr: {
    description: 'Draws the QR codes of short URLs',
    uses: ['shortLinks.find', 'shortLinks.addresses', 'shortLinks.style'],
    reads: ['abuseContact', 'shortDomain'],
  },
  'record-clicks': {
    description: 'Counts clicks that waited in the queue',
    uses: ['lateClicks.hasLink', 'lateClicks.record'],
    reads: [],
  },
  redirect: {
    description: 'Redirects visitors of short URLs, and counts their clicks',
    uses: [
      'shortLinks.find',
      'shortLinks.addresses',
      'shortLinks.apps',
      'shortLinks.association',
      'shortLinks.recentStyle',
      'clicks.record',
      'excluded.add',
    ],
    reads: ['abuseContact', 'clickQueueUrl', 'shortDomain', 'uniqueWindowSeconds', 'visitorSecret'],
  },
  'send-events': {
    description: 'Sends events to the webhooks of projects',
    uses: [
      'deliveries.bodies',
      'deliveries.drop',
      'deliveries.noteTest',
      'deliveries.pending',
      'deliveries.settle',
      'turns.begin',
      'webhookStates.failed',
      'webhooks.find',
      'webhookStates.stop',
      'webhookStates.succeeded',
    ],
    reads: ['version', 'webhookQueueUrl', 'webhookSecret'],
  },
  'sign-in': {
    description: 'Signs members in, creates their keys, and changes members for admins',
    uses: [
      'members.change',
      'sessions.begin',
      'sessions.end',
      'sessions.exchange',
      'sessions.find',
      'sessions.project',
      'sessions.projects',
      'sessions.useAttempt',
    ],
    reads: ['signIn', 'signInClient', 'signInRedirect', 'signInSecret', 'signInTrustsEmail'],
  },
  'emit-events': {
    description: 'Stores expiries and the history of links, and emits events to webhooks',
    uses: [
      'apps.existing',
      'deliveries.add',
      'deliveries.pending',
      'history.add',
      'history.forget',
      'links.expire',
      'projects.standing',
      'webhooks.all',
    ],
    reads: ['copyKeysQueueUrl', 'historyDays', 'shortBase', 'webhookQueueUrl'],
  },
  reference: { description: "The API's description and the page that shows it", uses: [], reads: [] },
  'well-known': {
    description: "Serves a host's association files, which name the apps that open its short URLs",
    uses: ['hostShares.of'],
    reads: ['abuseContact', 'shortDomain'],
  },
} as const satisfies Record<string, FunctionContract>;

export type FunctionName = keyof typeof functions;

/** Further operations of the authorizer if members sign in. */
export const memberUses = ['memberKeys.admit'] as const satisfies readonly StoreOperation[];

/** The settings of every endpoint. */
export const endpointReads = [
  'figuresRetentionDays',
  'linksPerProject',
  'rateLimitPerHour',
  'shortBase',
  'shortHosts',
] as const satisfies readonly SettingName[];

/** A function's store operations, as a type. */
export type UsesOf<Name extends FunctionName> = (typeof functions)[Name]['uses'][number];

/** A function's settings, as a type. */
export type ReadsOf<Name extends FunctionName | 'endpoint'> = Name extends FunctionName
  ? (typeof functions)[Name]['reads'][number]
  : (typeof endpointReads)[number];
