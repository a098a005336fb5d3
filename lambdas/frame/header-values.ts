import type { APIGatewayProxyEvent } from 'aws-lambda';

/** All values of a header, whose name clients write in any case. */
export const headerValues = ({ multiValueHeaders }: APIGatewayProxyEvent, wanted: string): string[] =>
  Object.entries(multiValueHeaders ?? {}).flatMap(([name, values]) =>
    name.toLowerCase() === wanted ? (values ?? []) : [],
  );
