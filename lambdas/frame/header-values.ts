import type { APIGatewayProxyEvent } from 'aws-lambda';

/** All values of a header, ignoring the case of its name. */
export const headerValues = ({ multiValueHeaders }: APIGatewayProxyEvent, wanted: string): string[] =>
  Object.entries(multiValueHeaders ?? {}).flatMap(([name, values]) =>
    name.toLowerCase() === wanted ? (values ?? []) : [],
  );
