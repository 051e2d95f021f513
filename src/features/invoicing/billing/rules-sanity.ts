// Two bounds that no right bill crosses, asserted on every bill that is planned: whatever breaks elsewhere, nobody is charged a period twice.
// They follow Kill Bill’s sanity safety bounds (https://github.com/killbill/killbill/commit/f6ef85232ec73bdf75ee4bd116058c8d2614d4fd).
import { assert } from '#kernel/assert.ts';
import type { PlannedBillLine } from './rules-late.ts';

/** More lines than a subscription could have in a month: prices and plans do not change several times a day for a month. */
export const mostLinesOfSubscription = 500;

/**
 * Throws when a subscription has more lines than it could have, or when its fees, refunds taken off, are for more than the whole of
 * their period. Who is planned wrongly is parked with this reason instead of billed.
 */
export function mustBeSane(lines: readonly PlannedBillLine[]): void {
  for (const [subscriptionId, own] of Map.groupBy(lines, (line) => line.subscriptionId)) {
    assert(
      own.length <= mostLinesOfSubscription,
      `subscription ${subscriptionId} has no more than ${mostLinesOfSubscription} lines on a bill`,
    );
    const charged = new Map<string, { parts: number; whole: number }>();
    for (const line of own) {
      const share = line.kind === 'base_fee' || line.kind === 'credit' ? line.steps[0]?.share : undefined;
      if (!share) continue;
      // A month and a year are counted apart, and so are days and seconds.
      const period = `${line.unit} ${share.unit} ${share.whole}`;
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
