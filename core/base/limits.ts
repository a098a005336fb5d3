/**
 * Every limit of the service, in one place. Lengths count characters; sizes count bytes.
 *
 * Lambda rejects responses over 6 MB (6,291,456 bytes), so lists stay below 6,000,000: a test adds up the largest size
 * of every field in a list's response (test/core/base/answer-size.test.ts).
 *
 * A `Location` stays below 8 KB with the link's own values: an address of 2,560, the campaign encoded twice in Google
 * Play's referrer (5,000), and the short URL there (600). The longest Google Play address built from a package takes
 * 600.
 */
export const limits = {
  code: { min: 3, max: 50 },
  /** Length of generated codes; the API promises 8 to 12. */
  generatedCodeLength: 10,
  url: 2048,
  /** An address's size in a header or in a list's response, whichever is larger. */
  addressBytes: 2560,
  name: 255,
  identifier: 255,
  /** An app identifier's size in an address or in a list's response, whichever is larger. */
  identifierBytes: 512,
  campaignValue: 255,
  /** Size of a campaign's or source's name in analytics. */
  clickedNameBytes: 64,
  /** Size of a whole campaign in Google Play's referrer. */
  campaignBytes: 5000,
  socialTitle: 256,
  socialDescription: 2048,
  version: 32,
  appStoreIdDigits: 20,
  bodyBytes: 64 * 1024,
  bulkBodyBytes: 1024 * 1024,
  bulkLinks: 100,
  idempotencyKey: 255,
  /** How long an idempotent call's record is kept. */
  rememberedSeconds: 24 * 3600,
  /** Characters of a user agent that are read: browsers have up to about 600, and patterns are slow on longer ones. */
  userAgent: 1000,
  /** How long a click may wait in the queue, which is SQS's longest retention. */
  clickQueueDays: 14,
  requestsPerHour: 180_000,
  pageSize: { default: 50, max: 100 },
  /** Buckets of a time series in one response. */
  buckets: 1000,
  /** Groupings of analytics in one call. */
  groupings: 13,
  /** The busiest links of a range: more are looked up than shown, because some may be deleted. */
  busiestLinks: { candidates: 200, shown: 100 },
  appsPerProject: 1000,
  tag: 32,
  tagsPerLink: 10,
  tagsPerProject: 1000,
  search: 100,
  /** Size of a logo as a data URL, in bytes. */
  logo: 20 * 1024,
  logoPixels: 4_000_000,
  texts: { names: 20, name: 40, value: 500, bytes: 1024 },
  /** Limits of `payload.rules`: `bytes` as JSON, `answerBytes` as JSON inside JSON, `hosts` other than the destination's. */
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
