// The allowed transitions of a subscription (domain.md, "States"; R-CAT-07).
import { describe, expect, test } from 'vitest';
import { subscriptionStates, type SubscriptionState } from './contract.ts';
import { canChange, canRenew, nextState, type SubscriptionAction } from './rules.ts';

const actions = ['cancel', 'stop', 'start'] as const satisfies readonly SubscriptionAction[];

/** The table of transitions, written by hand: every other one is refused. */
const allowed: Partial<Record<SubscriptionState, Partial<Record<SubscriptionAction, SubscriptionState>>>> = {
  scheduled: { cancel: 'canceled' },
  active: { cancel: 'cancelling', stop: 'paused' },
  paused: { cancel: 'cancelling', start: 'active' },
  cancelling: { start: 'active' },
};

describe.each(subscriptionStates)('a subscription that is %s', (state) => {
  test.each(actions)('%s', (action) => {
    expect(nextState(state, action)).toBe(allowed[state]?.[action]);
  });
  test('its plan changes only while nothing ends it', () => {
    expect(canChange(state)).toBe(state === 'active' || state === 'paused');
  });
  test('it is renewed when it would end with its term, is about to end, or has expired', () => {
    expect(canRenew({ state, autoRenew: true })).toBe(['cancelling', 'expired'].includes(state));
    expect(canRenew({ state, autoRenew: false })).toBe(
      ['active', 'paused', 'cancelling', 'expired'].includes(state),
    );
  });
});

test('what has ended stays ended, and what is suspended does not start itself', () => {
  for (const state of ['canceled', 'expired', 'suspended'] as const) {
    for (const action of actions) expect(nextState(state, action)).toBeUndefined();
  }
});

test('each action can be taken back until it took effect', () => {
  expect(nextState(nextState('active', 'stop')!, 'start')).toBe('active');
  expect(nextState(nextState('active', 'cancel')!, 'start')).toBe('active');
});
