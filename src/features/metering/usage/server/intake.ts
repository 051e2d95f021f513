// Group commit: events of many senders become usage in one unit of work, and each sender hears of theirs after its commit.
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { ownTurn } from '#platform/server/jobs/own-turn.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { LastSeen } from '#platform/server/database/seen.ts';
import { comeIn, Together } from '#platform/server/database/together.ts';
import { isUniqueViolation, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { isDomainError, readEvent } from '../rules.ts';
import { eitherWatched, isUnwatched, mustShare, NotAlone, watchedAmong, type Watched } from './alone.ts';
import type { Basis, Batch, Expected, ItemResult, Via } from './arrivals.ts';
import { basisOf, recordBatches, subscriptionsIn } from './record-usage.ts';

/** An item of a metering call that was refused, as it came. */
export type RejectedEvent = {
  readonly raw: unknown;
  readonly source: string | null;
  readonly subscriptionId: string | null;
  readonly id: string | null;
  readonly code: string;
  readonly params: TextParams;
  readonly organizationId: Id<'org'> | null;
  readonly keyId: Id<'key'> | null;
};
/** Items were refused, in the unit of work that recorded the others of their batches. */
export const usageRejected = domainEvent<readonly RejectedEvent[]>('usage.rejected');

/** A call whose items can be recorded: `basis` was read before the unit of work, so that it is read for the next ones while a group is recorded. */
type Ready = Batch & { readonly raw: readonly unknown[]; readonly basis: ReadBasis };
type ReadBasis = Basis & { readonly watched: Watched; readonly readAtMs: number };
type Waiting = Ready & {
  readonly answer: (results: ItemResult[]) => void;
  readonly fail: (error: unknown) => void;
};
/** What was read last of some subscriptions, there or not, and which of them were wanted since. */
type Last = { readonly asked: ReadonlySet<string>; readonly basis: ReadBasis; readonly wanted: Set<string> };
type Line = {
  readonly bases: Together<readonly string[], ReadBasis>;
  readonly last: LastSeen<Last>;
  readonly waiting: Waiting[];
  running: number;
};

// Those who come while a group is recorded are the next one, and make their events known while the one before is being committed. More at
// once would be smaller ones that wait for each other's hours.
const groupsAtOnce = 2;
/** Batches of this many events have a unit of work for themselves: they gain nothing from others, and others would wait for them. */
const bigBatch = 200;
const biggestGroup = 2000;
/** What was read longer ago, because the group before took its time, is read again. */
const basisLastsMs = 150;
const lines = new WeakMap<App, Line>();
const actor = { kind: 'system', name: 'metering' } as const;

/**
 * Takes the items of one metering call: CloudEvents as they came. Answers what became of each, after the commit. What is refused is
 * announced with it. A fault of one call's items never takes another call's with it.
 */
export async function takeEvents(app: App, raw: readonly unknown[], via: Via): Promise<ItemResult[]> {
  // A batch is worked on in turns, so that what others wait for (a commit, a small request) comes between.
  if (raw.length >= bigBatch) await ownTurn();
  const now = app.clock.now();
  const batch = { raw, via, read: raw.map((each) => readEvent(each, now)) };
  const line = lines.get(app) ?? makeLine(app);
  const basis = await basisFor(app, line, subscriptionsIn(batch.read));
  if (raw.length >= bigBatch) {
    await ownTurn();
    return (await recordTogether(app, [{ ...batch, basis }]))[0] ?? [];
  }
  return new Promise((answer, fail) => {
    line.waiting.push({ ...batch, basis, answer, fail });
    if (line.running < groupsAtOnce) void drain(app, line);
  });
}

async function readBasis(app: App, ids: readonly string[]): Promise<ReadBasis> {
  const readAtMs = performance.now();
  return unitOfWork(app, { actor, mode: 'read' }, async (ctx) => {
    const basis = await basisOf(ctx, ids);
    return { ...basis, watched: await watchedAmong(ctx, basis.targets), readAtMs };
  });
}

function makeLine(app: App): Line {
  const last = new LastSeen<Last>(app);
  const line: Line = {
    last,
    bases: new Together((questions) => readBases(app, last, questions)),
    waiting: [],
    running: 0,
  };
  lines.set(app, line);
  return line;
}

/** What was read last, when it tells of all these subscriptions. */
function lastBasis({ last }: Line, ids: readonly string[]): ReadBasis | undefined {
  const there = last.value();
  if (!there || !ids.every((id) => there.asked.has(id))) return undefined;
  for (const id of ids) there.wanted.add(id);
  return there.basis;
}

/** What some subscriptions' events are judged by: as it was read a moment ago, where nothing has changed since. */
async function basisFor(app: App, line: Line, ids: readonly string[]): Promise<ReadBasis> {
  line.last.renewInTime(async ({ wanted }) => ({
    asked: new Set(wanted),
    basis: await readBasis(app, [...wanted]),
    wanted: new Set(),
  }));
  return lastBasis(line, ids) ?? (await line.bases.ask(ids).catch(async () => readBasis(app, ids)));
}

async function readBases(
  app: App,
  last: LastSeen<Last>,
  questions: readonly (readonly string[])[],
): Promise<readonly ReadBasis[]> {
  const ids = new Set(questions.flat());
  const { basis } = await last.read(async (before) => {
    const read = await readBasis(
      app,
      [...ids].filter((id) => !before?.asked.has(id)),
    );
    const wanted = new Set([...(before?.wanted ?? []), ...ids]);
    if (!before) return { asked: ids, basis: read, wanted };
    return {
      wanted,
      asked: new Set([...before.asked, ...ids]),
      basis: {
        ...read,
        targets: new Map([...before.basis.targets, ...read.targets]),
        watched: eitherWatched(before.basis.watched, read.watched),
        readAtMs: before.basis.readAtMs,
      },
    };
  });
  return questions.map(() => basis);
}

/** One basis of a group's: what was read last counts. */
async function basisIn(ctx: Ctx, group: readonly Ready[]): Promise<Basis> {
  const all = [...new Set(group.map(({ basis }) => basis))];
  if (all.some(({ readAtMs }) => performance.now() - readAtMs > basisLastsMs)) {
    // Who watches may be another by now too.
    mustShare(ctx);
    return basisOf(ctx, [...new Set(group.flatMap(({ read }) => subscriptionsIn(read)))]);
  }
  const last = required(all.at(-1), 'a basis');
  return all.length === 1 ? last : { ...last, targets: new Map(all.flatMap(({ targets }) => [...targets])) };
}

async function drain(app: App, line: Line): Promise<void> {
  line.running += 1;
  while (line.waiting.length > 0) {
    await comeIn(() => line.waiting.length);
    // The other group may have taken all of them meanwhile.
    const group = nextGroup(line);
    if (group.length > 0) await settleGroup(app, group);
  }
  line.running -= 1;
}

function nextGroup({ waiting }: Line): Waiting[] {
  let size = 0;
  const end = waiting.findIndex((each) => (size += each.read.length) > biggestGroup);
  return waiting.splice(0, end < 0 ? waiting.length : Math.max(1, end));
}

async function settleGroup(app: App, group: readonly Waiting[]): Promise<void> {
  try {
    const results = await recordTogether(app, group);
    for (const [index, { answer }] of group.entries()) answer(results[index] ?? []);
  } catch (error) {
    if (group.length === 1) return group[0]?.fail(error);
    app.log.warn({ err: error, calls: group.length }, 'metering calls are recorded one by one');
    for (const each of group) await settleGroup(app, [each]);
  }
}

const aloneOrNot = (group: readonly Ready[]): Expected =>
  group.every(({ read, basis }) => isUnwatched(read, basis.watched)) ? 'alone' : 'new';

async function recordTogether(
  app: App,
  group: readonly Ready[],
  expected: Expected = aloneOrNot(group),
): Promise<ItemResult[][]> {
  try {
    return await recordAs(app, group, expected);
  } catch (error) {
    if (error instanceof NotAlone) return recordTogether(app, group, 'new');
    if (expected === 'some known' || !isUniqueViolation(error)) throw error;
    return recordTogether(app, group, 'some known');
  }
}

async function recordAs(app: App, group: readonly Ready[], expected: Expected): Promise<ItemResult[][]> {
  return unitOfWork(
    app,
    { actor, leaves: 'what was seen', mode: expected === 'alone' ? 'one' : 'write' },
    async (ctx) => {
      const results = await recordBatches(ctx, group, await basisIn(ctx, group), expected);
      await announceRejected(ctx, group, results);
      return results;
    },
  );
}

async function announceRejected(
  ctx: Ctx,
  group: readonly Ready[],
  results: readonly (readonly ItemResult[])[],
): Promise<void> {
  const rejected = group.flatMap(({ raw, read, via }, place) =>
    (results[place] ?? []).flatMap((result, index): RejectedEvent[] => {
      const event = read[index];
      if (result.outcome !== 'rejected' || !event) return [];
      const known = isDomainError(event)
        ? { source: null, subscriptionId: null }
        : { source: event.source, subscriptionId: event.subscriptionId };
      return [
        { raw: raw[index], ...known, id: result.id, code: result.code, params: result.params ?? {}, ...via },
      ];
    }),
  );
  if (rejected.length > 0) await ctx.emit(usageRejected, rejected);
}
