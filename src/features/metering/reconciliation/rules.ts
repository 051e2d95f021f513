// Rules of reconciliation: how a connector's inventory differs from its billed resources. No clock, no
// database.
import { hourMs } from '#kernel/durations.ts';
import type { FindingCause, FindingKind } from './contract.ts';

/**
 * Something that exists, with the subscription that should pay by the current rules, including those of other
 * connectors to the same server.
 */
export type Existing = {
  readonly resource: string;
  readonly size: string;
  readonly ownerId: string | null;
};

/** A resource that has readings. */
export type Known = {
  readonly resource: string;
  /** Who paid for its last reading, or was assigned it by an Admin. */
  readonly subscriptionId: string | null;
  readonly isIgnored: boolean;
  /** According to its last reading; '' if that has no size. */
  readonly size: string;
  /** Whether any of its readings are waiting. */
  readonly isWaiting: boolean;
  /** The window of its last reading. */
  readonly lastStart: Date;
  readonly lastEnd: Date;
};

/** A subscription that owns resources. */
export type Paying = {
  /** Whether it has ended. */
  readonly isOver: boolean;
  /** How many units of its plan are paid for. */
  readonly quantity: number;
  /** Whether its plan has a fee. */
  readonly hasFee: boolean;
};

export type Difference = {
  readonly resource: string;
  readonly kind: FindingKind;
  readonly cause: FindingCause;
  readonly subscriptionId: string | null;
  readonly ownerId: string | null;
  readonly billedSize: string;
};
export type Compared = {
  readonly differences: readonly Difference[];
  /** Known resources that are missing, with the time since when. */
  readonly missing: ReadonlyMap<string, Date>;
};

export type CompareInput = {
  readonly existing: readonly Existing[];
  readonly known: readonly Known[];
  /** Subscriptions by id; a missing one no longer exists. */
  readonly paying: ReadonlyMap<string, Paying>;
  /** Resources missing from earlier inventories, with the time since when. */
  readonly missing: ReadonlyMap<string, Date>;
  /** When the inventory was requested. */
  readonly at: Date;
  readonly ghostHours: number;
};

/**
 * Compares an inventory with what is billed. The inventory must be complete; a failed one is never compared.
 */
export function compare(input: CompareInput): Compared {
  const known = new Map(input.known.map((each) => [each.resource, each]));
  const existing = new Set(input.existing.map(({ resource }) => resource));
  const missing = new Map(
    input.known
      .filter(({ resource, isIgnored }) => !isIgnored && !existing.has(resource))
      .map(({ resource }) => [resource, input.missing.get(resource) ?? input.at]),
  );
  return {
    differences: [
      ...input.existing.flatMap((each) => {
        const before = known.get(each.resource);
        return before?.isIgnored ? [] : (unbilled(each, before, input.paying) ?? differing(each, before));
      }),
      ...ghosts(input, missing),
    ],
    missing,
  };
}

/** Why nobody pays for something that exists; undefined if somebody does. */
function unbilled(
  { resource, ownerId }: Existing,
  known: Known | undefined,
  paying: CompareInput['paying'],
): Difference[] | undefined {
  const found = (cause: FindingCause, subscriptionId = ownerId): Difference[] => [
    { resource, kind: 'unbilled', cause, subscriptionId, ownerId: null, billedSize: '' },
  ];
  const owner = ownerId === null ? undefined : paying.get(ownerId);
  if (!owner) return found('unmapped', null);
  if (owner.isOver) return found('ended');
  return known?.isWaiting ? found('waiting') : undefined;
}

/** How the billed owner or size differs from the current one. */
function differing({ resource, ownerId, size }: Existing, known: Known | undefined): Difference[] {
  if (!known || known.subscriptionId === null) return [];
  const found = { resource, kind: 'differs', subscriptionId: known.subscriptionId } as const;
  if (ownerId !== null && ownerId !== known.subscriptionId)
    return [{ ...found, cause: 'owner', ownerId, billedSize: known.size }];
  return size !== '' && known.size !== '' && size !== known.size
    ? [{ ...found, cause: 'size', ownerId: null, billedSize: known.size }]
    : [];
}

/**
 * Finds what is paid for but does not exist. Usage indicates a ghost only if its window started after an
 * inventory without the resource: a machine that was just deleted legitimately has usage for its last hour. A
 * fee indicates a ghost if a subscription pays for more than it has: the newest missing resources are the
 * surplus.
 */
function ghosts(
  { existing, known, paying, at, ghostHours }: CompareInput,
  missing: Compared['missing'],
): Difference[] {
  const gone = known.filter(({ resource }) => missing.has(resource));
  const surplus = surplusOf(existing, gone, paying);
  return gone.flatMap((each): Difference[] => {
    const { resource, subscriptionId, lastStart, lastEnd, size } = each;
    const payer = subscriptionId === null ? undefined : paying.get(subscriptionId);
    if (!payer || payer.isOver) return [];
    const isCounting =
      !each.isWaiting &&
      lastStart >= (missing.get(resource) ?? at) &&
      at.getTime() - lastEnd.getTime() <= ghostHours * hourMs;
    const cause = isCounting ? 'usage' : surplus.has(resource) ? 'fee' : undefined;
    return cause ? [{ resource, kind: 'ghost', cause, subscriptionId, ownerId: null, billedSize: size }] : [];
  });
}

/**
 * The missing resources that fees are paid for: per subscription, as many as it pays for beyond what it has.
 */
function surplusOf(
  existing: readonly Existing[],
  gone: readonly Known[],
  paying: CompareInput['paying'],
): ReadonlySet<string> {
  const there = Map.groupBy(existing, ({ ownerId }) => ownerId);
  return new Set(
    [...Map.groupBy(gone, ({ subscriptionId }) => subscriptionId)].flatMap(([subscriptionId, resources]) => {
      const payer = subscriptionId === null ? undefined : paying.get(subscriptionId);
      if (!payer?.hasFee || payer.isOver) return [];
      const tooMany = Math.max(0, Math.ceil(payer.quantity) - (there.get(subscriptionId)?.length ?? 0));
      return resources
        .toSorted((a, b) => b.lastEnd.getTime() - a.lastEnd.getTime() || (a.resource < b.resource ? -1 : 1))
        .slice(0, tooMany)
        .map(({ resource }) => resource);
    }),
  );
}

/** Whether to notify Admins: when the unbilled amount has risen above the limit, not while it stays there. */
export const isNewlyAbove = (before: bigint, now: bigint, limit: bigint): boolean =>
  before <= limit && now > limit;
