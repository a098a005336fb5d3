import { failureStatus, faultsShown } from '../base/failure.ts';
import { failureMessages, faultMessages } from '../base/messages.ts';

const listed = (messages: readonly string[]) => messages.map((message) => `- ${message}`).join('\n');

const failures = () =>
  Object.entries(failureStatus)
    .sort(([, status], [, other]) => status - other)
    .map(([code, status]) => {
      const ofCode = Object.values(failureMessages).filter(([of]) => of === code);
      return ofCode.length && `${status} \`${code}\`:\n\n${listed(ofCode.map(([, message]) => message))}\n`;
    })
    .filter(Boolean);

/** The documentation page with every message of the API. */
export const errorsPage = (): string => `# Error messages

Every message of the API and of the members' console, generated from core/base/messages.ts by \`npm run generate\`. \`{word}\` stands
for a value. Codes are stable, but messages may change: check the code in programs.

## Failures

Three failures have \`error\` as a plain string, without the code: a mobile app that doesn't exist, and an update of a link that
doesn't exist or has expired. Messages about “this link” belong to single links of \`POST /1.0/links/bulk\`. In the first minutes after
a deployment API Gateway may respond with 503, in the same shape and with \`Retry-After\`.

${failures().join('\n')}
## Fields and parameters

\`VALIDATION_ERROR\` (body, path and headers) and \`INVALID_PARAMETERS\` (query) name every fault: the path of the field, a colon and one
of these messages. \`; \` separates several faults; of more than ${faultsShown} the rest is counted.

${listed(Object.values(faultMessages))}
`;
