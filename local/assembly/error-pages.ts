import type { ErrorPage } from './assembly.ts';
import { readMockResponses } from './mock-integrations.ts';
import type { Properties } from './properties.ts';
import { apiId } from './references.ts';
import type { Resources } from './resources.ts';

/**
 * A distribution's own pages for errors of its origins, by the error's status. Their origin is an API with fixed
 * responses, without variables in their templates.
 */
export function readErrorPages(
  config: Properties,
  { resources, id }: { readonly resources: Resources; readonly id: string },
): Readonly<Record<number, ErrorPage>> {
  const pages = config
    .each('CustomErrorResponses')
    .filter((response) => response.has('ResponsePagePath'))
    .map((response) => {
      const path = response.text('ResponsePagePath');
      const behavior = config.each('CacheBehaviors').find((one) => one.text('PathPattern') === path);
      const originId = behavior?.text('TargetOriginId');
      const origin = config.each('Origins').find((one) => one.text('Id') === originId);
      if (!origin) throw new Error(`${id}: no cache behaviour has the path of the error page ${path}`);
      const page = fixedResponse(resources, origin.text('DomainName'), path.slice(1));
      if (!page) throw new Error(`${id}: the error page ${path} isn't a fixed response of a REST API`);
      return [response.number('ErrorCode', 0), { ...page, statusCode: response.number('ResponseCode', 200) }];
    });
  return Object.fromEntries(pages);
}

function fixedResponse(
  resources: Resources,
  host: string,
  pathPart: string,
): Omit<ErrorPage, 'statusCode'> | undefined {
  const api = resources.ofType('AWS::ApiGateway::RestApi').find((one) => host.startsWith(`${apiId(one)}.`));
  const resource = resources
    .ofType('AWS::ApiGateway::Resource')
    .find(
      ({ properties }) =>
        api && properties.text('RestApiId') === apiId(api) && properties.text('PathPart') === pathPart,
    );
  const method = resources
    .ofType('AWS::ApiGateway::Method')
    .find(({ properties }) => resource && properties.text('ResourceId') === resource.id);
  return method && readMockResponses(method.properties, method.id)[0];
}
