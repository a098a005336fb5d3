import type { Line } from './bill.ts';

/** A month of prod, by its traffic. */
export interface Example {
  readonly millionRedirects: number;
  /** The name of a spread, by which the redirects come. */
  readonly spread: string;
  readonly millionCalls: number;
  readonly millionLinks: number;
}

/** Dollars. */
interface Prices {
  readonly idle: number;
  readonly millionRedirects: number;
  readonly millionCalls: number;
  readonly millionRequestsThroughFirewalls: number;
  readonly millionLinks: number;
}

/** The bill of an example's month. */
export const exampleMonth = (example: Example, prices: Prices): Line[] => {
  const requests = example.millionRedirects + example.millionCalls;
  return [
    ['Idle month', 'prod', prices.idle],
    [
      'Redirects',
      `${whole(example.millionRedirects)}, ${example.spread}`,
      example.millionRedirects * prices.millionRedirects,
    ],
    ['API calls', `${whole(example.millionCalls)}, by the mix`, example.millionCalls * prices.millionCalls],
    ['Requests through firewalls', whole(requests), requests * prices.millionRequestsThroughFirewalls],
    ['Stored links', whole(example.millionLinks), example.millionLinks * prices.millionLinks],
  ];
};

const whole = (millions: number): string => (millions * 1_000_000).toLocaleString('en-US');
