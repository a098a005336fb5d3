/** Every limit of the service, in one place. Lengths count UTF-16 code units, sizes are bytes. */
export const limits = {
  code: { min: 3, max: 50 },
  /** Generated codes have one length inside the 8 to 12 that the API promises. */
  generatedCodeLength: 10,
  url: 2048,
  name: 255,
  identifier: 255,
  campaignValue: 255,
  socialTitle: 256,
  socialDescription: 2048,
  version: 32,
  appStoreIdDigits: 20,
  bodyBytes: 64 * 1024,
  requestsPerHour: 180_000,
  pageSize: { default: 50, max: 100 },
  appsPerProject: 1000,
} as const;
