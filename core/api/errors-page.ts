import { failureStatus, faultsListed, faultsShown } from '../base/failure.ts';
import { failureMessages, faultMessages } from '../base/messages.ts';
import type { Contract } from './endpoint.ts';
import { api } from './index.ts';

const listed = (messages: readonly string[]) => messages.map((message) => `- ${message}`).join('\n');

/** Codes that no response has: wherever they happen, only the message is sent. */
export const unsentCodes = Object.keys(failureStatus).filter((code) => {
  const contracts = Object.values<Contract>(api).filter(({ failures = {} }) => code in failures);
  return contracts.length > 0 && contracts.every(({ plain }) => plain?.some((one) => one === code));
});

const failures = () =>
  Object.entries(failureStatus)
    .sort(([, status], [, other]) => status - other)
    .map(([code, status]) => {
      const ofCode = Object.values(failureMessages).filter(([of]) => of === code);
      return ofCode.length && `${status} \`${code}\`:\n\n${listed(ofCode.map(([, message]) => message))}\n`;
    })
    .filter(Boolean);

export const errorsPage = (): string => `# Error messages

Every message of the API and of the members' console, generated from core/base/messages.ts by \`npm run generate\`. \`{word}\` stands
for a value. Codes are stable, but messages may change: check the code in programs. [The API](api.md#errors) shows a failure, and when to repeat a
call.

## Failures

No response has the codes ${unsentCodes.map((code) => `\`${code}\``).join(' and ')}: there, \`error\` is only the message, and the client adds the code. So it is for
\`LINK_NOT_FOUND\` of an update. Messages about “this link” belong to single links of \`POST /1.0/links/bulk\`. In the first minutes after a
deployment API Gateway may respond with 503, in the same shape and with \`Retry-After\`.

If no response arrived, the client throws \`CONNECTION_ERROR\`, \`TIMEOUT\` or, for your own signal, \`ABORTED\`; if it doesn't have the API's
form, \`UNEXPECTED_RESPONSE\`.

${failures().join('\n')}
## Fields and parameters

\`VALIDATION_ERROR\` (body, path and headers) and \`INVALID_PARAMETERS\` (query) name every fault: the path of the field, a colon and one
of these messages. \`; \` separates several faults; of more than ${faultsShown} the rest is counted. The \`faults\` of a \`VALIDATION_ERROR\` list up
to ${faultsListed} of them, each with \`path\` and \`message\`; the path is empty if the whole body is wrong.

${listed(Object.values(faultMessages))}
`;
