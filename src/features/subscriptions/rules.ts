// Subscriptions' decisions: which transitions there are and where each leads.
import type { SubscriptionState } from './contract.ts';

export type SubscriptionAction = 'cancel' | 'stop' | 'start';

/** The state a subscription comes to by an action; undefined when the action is not possible in its state (domain.md, "States"). */
export function nextState(state: SubscriptionState, action: SubscriptionAction): SubscriptionState | undefined {
  switch (action) {
    case 'cancel': return state === 'active' || state === 'paused' ? 'cancelling' : undefined;
    case 'stop': return state === 'active' ? 'paused' : undefined;
    case 'start': return state === 'paused' || state === 'cancelling' ? 'active' : undefined;
  }
}

/** Whether usage is accepted in a state. */
export function acceptsUsage(state: SubscriptionState): boolean {
  return state === 'active' || state === 'cancelling' || state === 'past_due';
}
