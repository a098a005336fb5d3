import type { Contract } from '../core/api/endpoint.ts';
import { api } from '../core/api/index.ts';
import { failureStatus, faultsListed, faultsShown } from '../core/base/failure.ts';
import { failureMessages } from '../core/base/messages.ts';
import { table } from './page-parts.ts';

/** Codes that no response has: wherever they happen, only the message is sent. */
export const unsentCodes = Object.keys(failureStatus).filter((code) => {
  const contracts = Object.values<Contract>(api).filter(({ failures = {} }) => code in failures);
  return contracts.length > 0 && contracts.every(({ plain }) => plain?.some((one) => one === code));
});

const rows = () =>
  Object.entries(failureStatus)
    .sort(([, status], [, other]) => status - other)
    .map(([code, status]) => {
      const messages = Object.values(failureMessages).filter(([of]) => of === code);
      return [String(status), `\`${code}\``, messages.map(([, message]) => message).join('<br>')];
    });

export const errorsPage = (): string => `# Error codes

Every error code of the API, with its HTTP status and its messages. Check the code in programs: codes are stable, but messages may change.
[The API](api.md#errors) shows an error response, and [when to repeat a call](api.md#retries-and-idempotency).

${table(['status', 'code', 'messages'], rows())}

\`{word}\` stands for a value. Messages that ask you to send a link again belong to single links of
\`POST /1.0/links/bulk\`. In the first minutes after a deployment, API Gateway may respond with 503, in the same format and with \`Retry-After\`.

## Faults of fields and parameters

\`VALIDATION_ERROR\` (body, path and headers) and \`INVALID_PARAMETERS\` (query) list every fault in \`message\`: the path of the field, a colon and what
the field must be, such as \`payload.link: is required\`. \`; \` separates faults. After ${faultsShown} faults, the message gives only the number of the
others. The \`faults\` of a \`VALIDATION_ERROR\` list up to ${faultsListed}, each with \`path\` and \`message\`. The path is empty if the whole body is wrong.

## Errors without a code

${unsentCodes.map((code) => `\`${code}\``).join(' and ')} never appear in a response: there, \`error\` is only the message, and the client adds the code.
The same applies to \`LINK_NOT_FOUND\` in responses to updates.

## Errors of the client

The client throws \`CONNECTION_ERROR\`, \`TIMEOUT\` or, for your own signal, \`ABORTED\` if no response arrived, and \`UNEXPECTED_RESPONSE\` if the response
doesn't have the API's format.

\`npm run generate\` writes this page from \`core/base/messages.ts\`.
`;
