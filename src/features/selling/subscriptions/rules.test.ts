// The allowed transitions of a subscription (domain.md, "States"; R-CAT-07).
import { describe, expect, test } from 'vitest';
import { subscriptionStates, type SubscriptionState } from './contract.ts';
import { canChange, canRenew, nextState, type SubscriptionAction } from './rules.ts';

const actions = ['cancel', 'stop', 'start'] as const satisfies readonly SubscriptionAction[];

/** The table of transitions, kept by hand: all others are rejected. */
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
  test('its plan changes only while no end is scheduled', () => {
    expect(canChange(state)).toBe(state === 'active' || state === 'paused');
  });
  test('can be renewed if it would end with its term, is about to end, or has expired', () => {
    expect(canRenew({ state, autoRenew: true })).toBe(['cancelling', 'expired'].includes(state));
    expect(canRenew({ state, autoRenew: false })).toBe(
      ['active', 'paused', 'cancelling', 'expired'].includes(state),
    );
  });
});

test('does not return after its end, and cannot resume itself while suspended', () => {
  for (const state of ['canceled', 'expired', 'suspended'] as const) {
    for (const action of actions) expect(nextState(state, action)).toBeUndefined();
  }
});

test('can have each action withdrawn until it takes effect', () => {
  expect(nextState(nextState('active', 'stop')!, 'start')).toBe('active');
  expect(nextState(nextState('active', 'cancel')!, 'start')).toBe('active');
});
