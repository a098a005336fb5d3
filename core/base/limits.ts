/**
 * Every limit of the service, in one place. Lengths count characters; sizes count bytes.
 *
 * Lambda refuses responses over 6 MB (6,291,456 bytes), so lists stay below 6,000,000: a test adds up what every field of
 * the tables may take in a list's response (test/core/base/answer-size.test.ts).
 *
 * A `Location` stays below 8 KB with what the link itself says: an address of 2,560, beside it the campaign, which is
 * encoded twice in Google Play's referrer (5,000), and the short URL there (600). The longest address of Google Play
 * that is made of a package takes 600.
 */
export const limits = {
  code: { min: 3, max: 50 },
  /** Generated codes have one length inside the 8 to 12 that the API promises. */
  generatedCodeLength: 10,
  url: 2048,
  /** Of an address in a header or in a list's response, whichever is larger. */
  addressBytes: 2560,
  name: 255,
  identifier: 255,
  /** Of an app's identifier in an address or in a list's response, whichever is larger. */
  identifierBytes: 512,
  campaignValue: 255,
  /** Of a name in the figures by campaign or source: bytes. */
  clickedNameBytes: 64,
  /** Of a whole campaign in the referrer of Google Play. */
  campaignBytes: 5000,
  socialTitle: 256,
  socialDescription: 2048,
  version: 32,
  appStoreIdDigits: 20,
  bodyBytes: 64 * 1024,
  bulkBodyBytes: 1024 * 1024,
  bulkLinks: 100,
  idempotencyKey: 255,
  /** How long a call with an Idempotency-Key is remembered. */
  rememberedSeconds: 24 * 3600,
  /** How much of a user agent is read: browsers' longest have some 600, and patterns take long over longer ones. */
  userAgent: 1000,
  /** How long a click may wait to be counted; as long as SQS keeps messages. */
  clickQueueDays: 14,
  requestsPerHour: 180_000,
  pageSize: { default: 50, max: 100 },
  /** Of figures over time in one response. */
  buckets: 1000,
  /** Groupings of figures in one call. */
  groupings: 12,
  /** The busiest links of a range: how many are looked up, as some may be deleted, and how many are shown. */
  busiestLinks: { candidates: 200, shown: 100 },
  appsPerProject: 1000,
  tag: 32,
  tagsPerLink: 10,
  tagsPerProject: 1000,
  search: 100,
  texts: { names: 20, name: 40, value: 500, bytes: 1024 },
  /** Of `payload.rules`: bytes as JSON, and as JSON inside JSON; hosts beside the destination's. */
  rules: {
    count: 20,
    bytes: 16_384,
    answerBytes: 24_576,
    hosts: 10,
    countries: 50,
    languages: 20,
    entries: 5,
  },
} as const;
