import type { MockIntegration, MockResponse } from './assembly.ts';
import { type Properties, propertiesOf } from './properties.ts';

/**
 * A MOCK integration whose templates are constant. Throws for what API Gateway rejects, and for Velocity expressions,
 * which aren't emulated.
 */
export function readMockIntegration(method: Properties, id: string): MockIntegration {
  const integration = method.in('Integration');
  const responses = readMockResponses(method, id);
  const templates = Object.entries(integration.textMap('RequestTemplates')).map(([type, template]) => {
    const status = propertiesOf(JSON.parse(constant(template, id)), id).number('statusCode', Number.NaN);
    const chosen =
      responses.find(
        ({ pattern }) => pattern !== undefined && new RegExp(`^(?:${pattern})$`).test(`${status}`),
      ) ?? responses.find(({ pattern }) => pattern === undefined);
    if (!chosen) throw new Error(`${id}: no integration response for ${status}`);
    return [type.toLowerCase(), chosen] as const;
  });
  const passthrough = integration.text('PassthroughBehavior', 'WHEN_NO_MATCH');
  return {
    responses: Object.fromEntries(templates),
    passesThrough:
      passthrough === 'WHEN_NO_MATCH' || (passthrough === 'WHEN_NO_TEMPLATES' && templates.length === 0),
  };
}

/** The responses of a MOCK integration in the template's order. */
export function readMockResponses(method: Properties, id: string): readonly MockResponse[] {
  const declared = new Map(
    method.each('MethodResponses').map((one) => [one.text('StatusCode'), one.in('ResponseParameters')]),
  );
  return method
    .in('Integration')
    .each('IntegrationResponses')
    .map((response) => {
      const status = response.text('StatusCode');
      const headers = Object.entries(response.textMap('ResponseParameters')).map(([name, value]) => {
        if (!declared.get(status)?.has(name))
          throw new Error(`${id}: no method response ${status} has ${name}`);
        return [name.replace('method.response.header.', '').toLowerCase(), quoted(value, id)] as const;
      });
      const [contentType = 'application/json', body = ''] =
        Object.entries(response.textMap('ResponseTemplates'))[0] ?? [];
      return {
        statusCode: Number(status),
        ...(response.has('SelectionPattern') && { pattern: response.text('SelectionPattern') }),
        headers: { 'content-type': contentType, ...Object.fromEntries(headers) },
        body: constant(body, id),
      };
    });
}

function quoted(value: string, id: string): string {
  const text = value.match(/^'(.*)'$/s)?.[1];
  if (text === undefined)
    throw new Error(`${id}: the mapping ${value} isn't emulated; constants have quotes`);
  return text.replaceAll("\\'", "'");
}

const expression =
  /\$!?\{?[a-z]|#(?:\{?(?:set|if|else|elseif|end|foreach|macro|include|parse|stop|break|evaluate|define)\b|[#*@[])/i;

function constant(template: string, id: string): string {
  if (expression.test(template)) throw new Error(`${id}: Velocity expressions aren't emulated: ${template}`);
  return template;
}
