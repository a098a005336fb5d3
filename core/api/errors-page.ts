import { failureStatus } from '../failure.ts';
import { failureMessages, faultMessages } from '../messages.ts';

const shown = (text: string) => text.replaceAll('|', '\\|');

const failures = () =>
  Object.values(failureMessages)
    .map(([code, message]) => [failureStatus[code], code, message] as const)
    .sort(([a, one], [b, other]) => a - b || (one < other ? -1 : one > other ? 1 : 0))
    .map(([status, code, message]) => `| ${status} | \`${code}\` | ${shown(message)} |`);

const faults = () => Object.values(faultMessages).map((message) => `| ${shown(message)} |`);

/** Every message of the API, as a page of the documentation. */
export const errorsPage = (): string => `# Error messages

Every message of the API, generated from core/messages.ts by \`npm run generate\`. \`{word}\` stands for a value. Codes are stable
and messages may change, so let programs check the code.

## Failures

A few of these have \`error\` as a plain string, without the code; the description of each endpoint says which. In the first minutes
after a deployment the service may respond with 503.

| status | code | message |
| ------ | ---- | ------- |
${failures().join('\n')}

## Fields and parameters

\`VALIDATION_ERROR\` (body, path and headers) and \`INVALID_PARAMETERS\` (query) name every fault: the path of the field, a colon and one
of these messages. \`; \` separates several faults.

| message |
| ------- |
${faults().join('\n')}
`;
