/** What an operator may do: look, also take down and give back, or everything in the tables. */
export const operatorRanks = ['read', 'takedowns', 'all'] as const;
export type OperatorRank = (typeof operatorRanks)[number];
