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

/** Adds to a metric, in CloudWatch's embedded format: a line that becomes a metric of this stack. */
export const countMetric = (
  name: string,
  fields: Fields = {},
  { dimensions = {} as Readonly<Record<string, string>>, times = 1 } = {},
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
    [name]: times,
    _aws: { Timestamp: Date.now(), CloudWatchMetrics: [metrics] },
  });
};

/** A failure of the service itself, per function, so that a bad release of one function stands out. */
export const countFailure = (fields: Fields): void =>
  countMetric('InternalError', fields, {
    dimensions: { function: process.env.AWS_LAMBDA_FUNCTION_NAME ?? 'unknown' },
  });

/**
 * A metric of what may happen to every visit: one line at once, and then one in each pause at most, with their number and the
 * fields of the last.
 */
export const gatheredMetric = (name: string, pauseMs = 1000): ((fields: Fields) => void) => {
  let waiting: { fields: Fields; times: number } | undefined;
  let isPausing = false;
  const tell = () => {
    isPausing = waiting !== undefined;
    if (!waiting) return;
    const { fields, times } = waiting;
    waiting = undefined;
    countMetric(name, fields, { times });
    // In a container that is frozen meanwhile, the next visit brings it.
    setTimeout(tell, pauseMs).unref();
  };
  return (fields) => {
    waiting = { fields, times: (waiting?.times ?? 0) + 1 };
    if (!isPausing) tell();
  };
};
