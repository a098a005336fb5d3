type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes one line of JSON, past the console, whose lines Lambda wraps: CloudWatch would not see a metric in
 * them. Fields name requests, projects, keys' ids and links; never a key, an address or a user agent.
 */
const write = (line: Fields): void => {
  process.stdout.write(`${JSON.stringify({ timestamp: new Date().toISOString(), ...line })}\n`);
};

export const logError = (message: string, error: unknown, fields: Fields = {}): void => {
  const { name, message: reason, stack } = error instanceof Error ? error : new Error(String(error));
  write({ level: 'ERROR', message, ...fields, error: { name, message: reason, stack } });
};

/** Adds one to a metric, in CloudWatch's embedded format: a line that becomes a metric of this stack. */
export const countMetric = (
  name: string,
  fields: Fields = {},
  dimensions: Readonly<Record<string, string>> = {},
): void => {
  const metrics = {
    Namespace: 'DynamicLinks',
    Dimensions: [['stack', ...Object.keys(dimensions)]],
    Metrics: [{ Name: name, Unit: 'Count' }],
  };
  write({
    level: 'WARN',
    message: name,
    ...fields,
    stack: process.env.STACK_NAME ?? 'unknown',
    ...dimensions,
    [name]: 1,
    _aws: { Timestamp: Date.now(), CloudWatchMetrics: [metrics] },
  });
};

/** A failure of the service itself, per function, so that a bad release of one function stands out. */
export const countFailure = (fields: Fields): void =>
  countMetric('InternalError', fields, { function: process.env.AWS_LAMBDA_FUNCTION_NAME ?? 'unknown' });
