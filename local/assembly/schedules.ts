import type { Schedule } from './assembly.ts';
import type { FunctionIndex } from './functions.ts';
import { account } from './intrinsics.ts';
import type { Resources } from './resources.ts';

const unitMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Rules of EventBridge with a rate. Rules for events are ignored, because no service emits any here. */
export function readSchedules(resources: Resources, functions: FunctionIndex): Schedule[] {
  return resources
    .ofType('AWS::Events::Rule')
    .filter(({ properties }) => properties.has('ScheduleExpression'))
    .filter(({ properties }) => properties.text('State', 'ENABLED') !== 'DISABLED')
    .flatMap(({ id, region, properties }) => {
      const expression = properties.text('ScheduleExpression');
      const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
      if (count === undefined) throw new Error(`${id}: the schedule ${expression} isn't emulated`);
      return properties.each('Targets').map((target) => ({
        id,
        arn: `arn:aws:events:${region}:${account}:rule/${id}`,
        functionId: functions.idOf(target.text('Arn'), id),
        everyMs: Number(count) * (unitMs[unit] ?? 0),
      }));
    });
}
