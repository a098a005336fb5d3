import { type CostInputs, gigabytes } from './inputs.ts';

/** Dollars of a million redirects that a plan at a fixed price takes the place of. */
export const edgeOfMillion = ({ prices, measured }: CostInputs): number =>
  prices.edgeRequestsPerMillion +
  prices.edgeFunctionsPerMillion +
  gigabytes(measured.redirectAnswerBytes) * prices.edgeGigabyteOut +
  prices.firewallRequestsPerMillion;

/** What of the distribution plans limit. */
export interface EdgeParts {
  readonly cachePolicies: number;
  readonly behaviors: number;
}

const planList = (inputs: CostInputs): string =>
  inputs.plans.list
    .filter(({ takesCachePolicies }) => takesCachePolicies)
    .map(
      ({ name, month, millionRequests, gigabytesOut }) =>
        `- **${name}**, ${month} dollars a month: ${millionRequests} million requests, ${gigabytesOut.toLocaleString('en-US')} GB out; by use ${(millionRequests * edgeOfMillion(inputs)).toFixed(2)}`,
    )
    .join('\n');

/** CloudFront's plans at a fixed price, against paying by use. */
export const plansSection = (inputs: CostInputs, { cachePolicies, behaviors }: EdgeParts): string => {
  const without = inputs.plans.list.filter(({ takesCachePolicies }) => !takesCachePolicies);
  return `## CloudFront at a fixed price

CloudFront also sells plans by distribution: requests, functions at the edge, data out and a firewall. By use, these cost
${edgeOfMillion(inputs).toFixed(2)} per million redirects and the monthly price of the short URLs' firewall; all else costs the same.

${planList(inputs)}

${without.map(({ name }) => `**${name}**`).join(' and ')} take no cache policies of one's own, of which the distribution has ${cachePolicies}. Every plan needs a firewall, which dev
doesn't have, and none is for an account on AWS's Free plan.

Beyond its allowance a plan costs no more, but AWS may slow responses down or ask for a larger plan; blocked requests don't count. By use, every
account has ${inputs.plans.freeMillionRequests} million free requests a month, left out here.

A plan covers one distribution, with names of one domain: not \`ownHosts=tenants\`, nor \`shortAliases\` of other domains. The stack doesn't
subscribe: do it in CloudFront's console, or with \`AWS::PricingPlanManager::Subscription\`, where a paid plan bills only after a call approves
it.

**Not checked**: ${inputs.plans.note}. Look up prices, allowances, and whether a plan allows ${behaviors} behaviours, a rate rule, core rules that only
count, and deployments that change the distribution.`;
};
