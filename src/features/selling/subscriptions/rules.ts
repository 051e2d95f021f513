// Rules of subscriptions: the transitions between states.
import type { SubscriptionState } from './contract.ts';

export type { CoveredMonth } from './rules-covers.ts';
export { acceptsUsageAt, hasBegun, isServedAt, previewHoldsMs } from './rules-course.ts';
export {
  feeSpans,
  spansWithout,
  type PauseSpan,
  type PlanOf,
  type PlanPrice,
  type PricedPlan,
  type Timeline,
} from './rules-fees.ts';
export { countedCharges, feeOfMonth } from './rules-charges.ts';
export { monthParts } from './rules-month-parts.ts';
export {
  linesOf,
  planTimes,
  pricingOfTime,
  servedShare,
  usageChargesOf,
  usageCostOf,
  withoutSteps,
  type BillableSubscription,
  type PlannedLine,
  type PlanTime,
  type UsedCharge,
  type UsedTime,
} from './rules-lines.ts';

export type SubscriptionAction = 'cancel' | 'stop' | 'start';

/**
 * Returns the state after an action; undefined if the action is not allowed in the state (domain.md,
 * "States").
 */
export function nextState(
  state: SubscriptionState,
  action: SubscriptionAction,
): SubscriptionState | undefined {
  switch (action) {
    case 'cancel':
      if (state === 'scheduled') return 'canceled';
      return state === 'active' || state === 'paused' ? 'cancelling' : undefined;
    case 'stop':
      return state === 'active' ? 'paused' : undefined;
    case 'start':
      return state === 'paused' || state === 'cancelling' ? 'active' : undefined;
  }
}

/** Whether plan and quantity can be changed in a state. */
export function canChange(state: SubscriptionState): boolean {
  return state === 'active' || state === 'paused';
}

/** Whether a subscription can be renewed: it would end with its term, is about to end, or has expired. */
export function canRenew({
  state,
  autoRenew,
}: {
  readonly state: SubscriptionState;
  readonly autoRenew: boolean;
}): boolean {
  return (
    state === 'cancelling' ||
    state === 'expired' ||
    (!autoRenew && (state === 'active' || state === 'paused'))
  );
}
