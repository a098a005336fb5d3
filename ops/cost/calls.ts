import { hundredths, type Line } from './bill.ts';
import {
  type CostInputs,
  functionTime,
  gigabytes,
  type OperationUnits,
  type Units,
  unitsOf,
} from './inputs.ts';
import type { ClickChoices } from './redirects.ts';

/** The cost of a million API calls, by the mix. */
export const millionCalls = (
  inputs: CostInputs,
  units: Units,
  { hasFirewall, table }: Pick<ClickChoices, 'hasFirewall' | 'table'>,
): Line[] => {
  const { prices, measured, assumed, callMix } = inputs;
  const mixed = (field: keyof OperationUnits) =>
    Object.entries(callMix).reduce((sum, [name, share]) => sum + share * unitsOf(units, name)[field], 0);
  const invocations = 1 + assumed.authorizerShare;
  return [
    ['API Gateway', 'one each', prices.apiCallsPerMillion],
    [
      'Lambda requests',
      `one each, and the authorizer's for ${assumed.authorizerShare * 100} % (assumed)`,
      invocations * prices.functionRequestsPerMillion,
    ],
    [
      'Lambda time',
      `${assumed.apiMilliseconds} ms of ${assumed.apiMegabytes} MB (assumed)`,
      invocations * functionTime(inputs, assumed.apiMilliseconds, assumed.apiMegabytes),
    ],
    ['Table reads', `${hundredths(mixed('reads'))} units each, by the mix`, mixed('reads') * table.reads],
    [
      'Table writes',
      `${hundredths(mixed('writes'))} units each, by the mix; one of them is the call's own count`,
      mixed('writes') * table.writes,
    ],
    [
      'Access log',
      `${measured.accessLogLineBytes} bytes each`,
      gigabytes(measured.accessLogLineBytes) * prices.logGigabyte,
    ],
    ['Traces', `${assumed.tracedShare * 100} % of the calls`, assumed.tracedShare * prices.tracesPerMillion],
    [
      'Data out',
      `${measured.apiAnswerBytes} bytes each`,
      gigabytes(measured.apiAnswerBytes) * prices.gigabyteOut,
    ],
    ...(hasFirewall ? [['Firewall', 'one request each', prices.firewallRequestsPerMillion] as const] : []),
  ];
};
