// Two bounds that no correct bill exceeds, asserted on every planned bill, so that a bug elsewhere cannot
// charge a customer twice for a period. They follow Kill Bill’s sanity safety bounds
// (https://github.com/killbill/killbill/commit/f6ef85232ec73bdf75ee4bd116058c8d2614d4fd).
import { assert } from '#kernel/assert.ts';
import type { PlannedBillLine } from './rules-late.ts';

/**
 * More lines than a subscription can have in a month: prices and plans do not change several times a day all
 * month.
 */
export const maxLinesOfSubscription = 500;

/**
 * Throws if a subscription has more lines than possible, or if its fees minus refunds exceed its whole
 * period. The close then records the organization as failed with this reason instead of billing it.
 */
export function assertSane(lines: readonly PlannedBillLine[]): void {
  for (const [subscriptionId, own] of Map.groupBy(lines, (line) => line.subscriptionId)) {
    assert(
      own.length <= maxLinesOfSubscription,
      `subscription ${subscriptionId} has no more than ${maxLinesOfSubscription} lines on a bill`,
    );
    const charged = new Map<string, { parts: number; whole: number }>();
    for (const line of own) {
      const share = line.kind === 'base_fee' || line.kind === 'credit' ? line.steps[0]?.share : undefined;
      if (!share) continue;
      // Months and years are summed separately, and so are days and seconds, the periods of each charge, and
      // fees that charge a whole period of a plan however much of another plan was served in it.
      const plan = line.isUndivided ? line.serviceId : undefined;
      const period = [line.charge?.key, line.unit, share.unit, share.whole, share.from, plan].join(' ');
      const known = charged.get(period) ?? { parts: 0, whole: share.whole };
      charged.set(period, {
        ...known,
        parts: known.parts + (line.kind === 'credit' ? -share.part : share.part),
      });
    }
    for (const { parts, whole } of charged.values())
      assert(parts <= whole, `subscription ${subscriptionId} is charged no part of its period twice`);
  }
}
