// Events that nothing else is written for are recorded by one statement, without a transaction around it: others wait for its locks for as long as
// it runs, not until this process has heard of it and said that it is done.
import { isDomainError } from '../rules.ts';
import type { Aggregation } from '#features/selling/catalogue/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import type { Batch, Targets } from './arrivals.ts';

/** Subscriptions that usage may be recorded for in a moment. */
export type Ahead = {
  readonly targets: Targets;
  /** Whoever says so has something to write with a subscription's usage, which then comes in a transaction. */
  readonly watch: (subscriptionId: string) => void;
  /** The same for whatever happened before a moment. */
  readonly watchBefore: (time: Date) => void;
};
/** Usage may be recorded: those who will write something with it say for what. Of what nobody watches nobody is told afterwards. */
export const usageAhead = domainEvent<Ahead>('usage.ahead');

/** What others watch. */
export type Watched = { readonly subscriptions: ReadonlySet<string>; readonly beforeMs: number };

/** Something else is to be written, and nothing has been yet: the events are recorded in a transaction. */
export class NotAlone extends Error {
  override readonly name = 'NotAlone';
}

/** @throws NotAlone outside of a transaction. */
export function mustShare({ db }: Pick<Ctx, 'db'>): void {
  if (!db.isTransaction) throw new NotAlone('this is written in a transaction');
}

/** Meters that keep more than sums. */
const keeping: ReadonlySet<Aggregation> = new Set(['unique_count', 'time_weighted_average']);

/** Asks who watches some subscriptions' usage. */
export async function watchedAmong(ctx: Ctx, targets: Targets): Promise<Watched> {
  const subscriptions = new Set(
    [...targets].filter(([, { service }]) => keeping.has(service.meter.aggregation)).map(([id]) => id),
  );
  let beforeMs = Number.NEGATIVE_INFINITY;
  await ctx.emit(usageAhead, {
    targets,
    watch: (id) => void subscriptions.add(id),
    watchBefore: (time) => void (beforeMs = Math.max(beforeMs, time.getTime())),
  });
  return { subscriptions, beforeMs };
}

/** What is watched by one or the other. */
export const eitherWatched = (one: Watched, other: Watched): Watched => ({
  subscriptions: new Set([...one.subscriptions, ...other.subscriptions]),
  beforeMs: Math.max(one.beforeMs, other.beforeMs),
});

/** Whether nobody watches what was read. */
export const isUnwatched = (read: Batch['read'], { subscriptions, beforeMs }: Watched): boolean =>
  read.every(
    (each) =>
      !isDomainError(each) && each.time.getTime() >= beforeMs && !subscriptions.has(each.subscriptionId),
  );
