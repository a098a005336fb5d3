/** The part of CloudWatch's metric math that the alarms use, and their evaluation. */

/** A value for each period of a metric; undefined if CloudWatch has none. */
export type Series = readonly (number | undefined)[];

export interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: { readonly Metric: Metric; readonly Period: number; readonly Stat: string };
  readonly ReturnData?: boolean;
  readonly Period?: number;
}

export interface Metric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}

/** An alarm's properties in a template. */
export interface AlarmProperties extends Partial<Metric> {
  readonly Metrics?: readonly Query[];
  readonly Period?: number;
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
  readonly Threshold: number;
  readonly ComparisonOperator: string;
  readonly EvaluationPeriods: number;
  readonly DatapointsToAlarm?: number;
  readonly TreatMissingData: string;
}

type Value = number | undefined;
type Known = Readonly<Record<string, Value>>;

const precedence = [['OR'], ['AND'], ['==', '!=', '<=', '>=', '<', '>'], ['+', '-'], ['*', '/']];

const operations: Readonly<Record<string, (one: number, other: number) => number>> = {
  OR: (one, other) => Number(one !== 0 || other !== 0),
  AND: (one, other) => Number(one !== 0 && other !== 0),
  '==': (one, other) => Number(one === other),
  '!=': (one, other) => Number(one !== other),
  '<=': (one, other) => Number(one <= other),
  '>=': (one, other) => Number(one >= other),
  '<': (one, other) => Number(one < other),
  '>': (one, other) => Number(one > other),
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
};

const split = new Map<string, readonly string[]>();
const tokensOf = (expression: string): readonly string[] => {
  const tokens = split.get(expression) ?? expression.match(/\w[\w.]*|==|!=|<=|>=|\S/g) ?? [];
  split.set(expression, tokens);
  return tokens;
};

/** The value of an expression at one time. Without an operand only FILL has one. Throws for an unknown function. */
export const computedAt = (expression: string, known: Known): Value => {
  const tokens = [...tokensOf(expression)];
  const take = (wanted?: string): string => {
    const token = tokens.shift();
    if (token === undefined || (wanted !== undefined && token !== wanted))
      throw new Error(`${expression}: ${wanted ?? 'more'} is missing`);
    return token;
  };
  const binary = (level: number): Value => {
    const names = precedence[level];
    if (!names) return operand();
    let value = binary(level + 1);
    while (names.includes(tokens[0] ?? '')) {
      const operate = operations[take()];
      const other = binary(level + 1);
      const result = value === undefined || other === undefined ? undefined : operate?.(value, other);
      // A division by zero has no value.
      value = result === undefined || Number.isFinite(result) ? result : undefined;
    }
    return value;
  };
  const operand = (): Value => {
    const token = take();
    if (/^\d/.test(token)) return Number(token);
    if (token === '(') {
      const value = binary(0);
      take(')');
      return value;
    }
    if (token === 'FILL' || token === 'IF') return call(token);
    if (!(token in known)) throw new Error(`${expression}: ${token} is not known`);
    return known[token];
  };
  const call = (name: 'FILL' | 'IF'): Value => {
    take('(');
    const values = [binary(0)];
    while (tokens[0] === ',') {
      take(',');
      values.push(binary(0));
    }
    take(')');
    const [first, second, third] = values;
    if (name === 'FILL') return first ?? second;
    return first === undefined ? undefined : first === 0 ? third : second;
  };
  const value = binary(0);
  if (tokens.length > 0) throw new Error(`${expression}: ${tokens.join(' ')} is left over`);
  return value;
};

/** The values of a metric by minute. */
export type World = (metric: Metric) => Series;

const aggregate = (values: readonly number[], statistic: string): Value => {
  if (values.length === 0) return undefined;
  if (statistic === 'Sum') return values.reduce((sum, value) => sum + value, 0);
  if (statistic === 'Minimum') return Math.min(...values);
  if (statistic === 'Average') return values.reduce((sum, value) => sum + value, 0) / values.length;
  // Percentiles of a made-up series are stated as such.
  return Math.max(...values);
};

/** The parts of a series in the periods that end before a minute, the last one last. */
const inPeriods = (
  series: Series,
  { end, minutes, count }: { end: number; minutes: number; count: number },
  statistic: string,
): Series =>
  Array.from({ length: count }, (_, i) => {
    const start = end - (count - i) * minutes;
    const values = series.slice(Math.max(0, start), Math.max(0, start + minutes));
    return aggregate(
      values.filter((value) => value !== undefined),
      statistic,
    );
  });

/** The value that an alarm watches, for the last periods before a minute. */
const watchedBefore = (alarm: AlarmProperties, world: World, end: number): Series => {
  const count = alarm.EvaluationPeriods;
  const ofStat = (metric: Metric, seconds: number, statistic: string) =>
    inPeriods(world(metric), { end, minutes: seconds / 60, count }, statistic);
  const { Metrics: queries } = alarm;
  if (!queries)
    return ofStat(
      // Without queries, an alarm names its metric itself.
      alarm as Metric,
      alarm.Period ?? 60,
      alarm.Statistic ?? alarm.ExtendedStatistic ?? '',
    );
  const known = new Map<string, Series>();
  // An expression's operands come after it.
  for (const { Id, Expression, MetricStat } of queries.toReversed())
    known.set(
      Id,
      MetricStat
        ? ofStat(MetricStat.Metric, MetricStat.Period, MetricStat.Stat)
        : Array.from({ length: count }, (_, i) =>
            computedAt(
              Expression ?? '',
              Object.fromEntries([...known].map(([id, values]) => [id, values[i]])),
            ),
          ),
    );
  return known.get(queries.find(({ ReturnData }) => ReturnData !== false)?.Id ?? '') ?? [];
};

/** The minutes in which an alarm is red, from the first possible one. */
export const redMinutes = (alarm: AlarmProperties, world: World, minutes: number): number[] => {
  const { Threshold, EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods } = alarm;
  if (
    alarm.ComparisonOperator !== 'GreaterThanOrEqualToThreshold' ||
    alarm.TreatMissingData !== 'notBreaching'
  )
    throw new Error('Only alarms of this kind are known');
  return Array.from({ length: minutes }, (_, i) => i + 1).filter((end) => {
    const breaching = watchedBefore(alarm, world, end).filter(
      (value) => value !== undefined && value >= Threshold,
    );
    return breaching.length >= DatapointsToAlarm;
  });
};
