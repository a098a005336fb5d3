type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes a line of JSON to stdout: Lambda wraps console lines, in which CloudWatch would find no metric. Fields contain
 * requests, projects, keys' ids and links; never keys, addresses or user agents.
 */
const write = (line: Fields): void => {
  process.stdout.write(`${JSON.stringify({ timestamp: new Date().toISOString(), ...line })}\n`);
};

export const logError = (message: string, error: unknown, fields: Fields = {}): void => {
  const { name, message: reason, stack } = error instanceof Error ? error : new Error(String(error));
  write({ level: 'ERROR', message, ...fields, error: { name, message: reason, stack } });
};

/** Adds to a metric of this stack, in CloudWatch's embedded metric format. */
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

/** Counts a failure of the service by function, so that a bad release of one function stands out. */
export const countFailure = (fields: Fields): void =>
  countMetric('InternalError', fields, {
    dimensions: { function: process.env.AWS_LAMBDA_FUNCTION_NAME ?? 'unknown' },
  });

/**
 * A metric for frequent events: it writes one line at once, then at most one in each pause, with the number of events
 * and the last one's fields.
 */
export const batchedMetric = (name: string, pauseMs = 1000): ((fields: Fields) => void) => {
  let waiting: { fields: Fields; times: number } | undefined;
  let isPausing = false;
  const flush = () => {
    isPausing = waiting !== undefined;
    if (!waiting) return;
    const { fields, times } = waiting;
    waiting = undefined;
    countMetric(name, fields, { times });
    // If the container is frozen meanwhile, the line is written at the next visit.
    setTimeout(flush, pauseMs).unref();
  };
  return (fields) => {
    waiting = { fields, times: (waiting?.times ?? 0) + 1 };
    if (!isPausing) flush();
  };
};
