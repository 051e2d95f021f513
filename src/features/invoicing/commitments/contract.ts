// Commitments: what an organization commits to spend over a term, how far it is, and what it pays beyond.

/** How long each committed amount counts; `contract`: the whole term. */
export const commitmentPeriods = ['month', 'quarter', 'year', 'contract'] as const;
export type CommitmentPeriod = (typeof commitmentPeriods)[number];
/**
 * What is due of the period in which a commitment ends early: nothing, the part of its months until then, its
 * whole amount, or that and the amounts of all later periods.
 */
export const settlements = ['none', 'prorated', 'period', 'all'] as const;
export type Settlement = (typeof settlements)[number];
export const commitmentStates = ['upcoming', 'active', 'ended'] as const;
export type CommitmentState = (typeof commitmentStates)[number];
/** Where a running period is heading: as committed, to a true-up, or used up before its last month. */
export const commitmentRisks = ['on_track', 'behind', 'over'] as const;
export type CommitmentRisk = (typeof commitmentRisks)[number];
