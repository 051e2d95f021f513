// Rules of reconciliation: what an inventory and the billed resources of a connector differ in. No clock, no database.
import type { FindingCause, FindingKind } from './contract.ts';

/** Something that exists, with the subscription that is to pay by the rules of now, also of other connectors to the same server. */
export type Existing = {
  readonly resource: string;
  readonly size: string;
  readonly ownerId: string | null;
};

/** A resource that readings were of. */
export type Known = {
  readonly resource: string;
  /** Who paid for its last reading, or has it by an Admin's word. */
  readonly subscriptionId: string | null;
  readonly isIgnored: boolean;
  /** By its last reading; '' when that says none. */
  readonly size: string;
  /** Whether readings of it wait. */
  readonly isWaiting: boolean;
  /** The window of its last reading. */
  readonly lastStart: Date;
  readonly lastEnd: Date;
};

/** A subscription that resources belong to. */
export type Paying = {
  /** Whether it has ended. */
  readonly isOver: boolean;
  /** How many of its plan are paid. */
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
  /** What was known and is not there, with the moment since when. */
  readonly missing: ReadonlyMap<string, Date>;
};

export type CompareInput = {
  readonly existing: readonly Existing[];
  readonly known: readonly Known[];
  /** The subscriptions by id; what is not in it does not exist any more. */
  readonly paying: ReadonlyMap<string, Paying>;
  /** What earlier inventories missed, with the moment since when. */
  readonly missing: ReadonlyMap<string, Date>;
  /** When the inventory was asked for. */
  readonly at: Date;
  readonly ghostHours: number;
};

const hourMs = 3_600_000;

/** Compares an inventory with what is billed. The caller has an inventory that was read in whole; a failed one is never compared. */
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

/** Why nobody pays for something that exists; undefined when somebody does. */
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

/** What is billed otherwise than it is now. */
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
 * What is paid for and does not exist. Usage makes a ghost only when it is of a window that began after an inventory without the resource:
 * a machine that was just deleted has usage of its last hour, and that is right. A fee makes one when a subscription pays for more than it
 * has: the newest of the missing resources are those that are paid too many.
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

/** The missing resources that fees are paid for: as many of a subscription as it pays more than it has. */
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

/** Whether Admins are told: when what is unbilled has risen above the limit, not while it stays there. */
export const isNewlyAbove = (before: bigint, now: bigint, limit: bigint): boolean =>
  before <= limit && now > limit;
