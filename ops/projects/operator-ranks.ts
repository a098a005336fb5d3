/** Ranks of operators: read, also takedowns and their reversal, or everything in the tables. */
export const operatorRanks = ['read', 'takedowns', 'all'] as const;
export type PolicyLevel = (typeof operatorRanks)[number];
