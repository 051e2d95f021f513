// A reconciliation run: lists what exists at every source, compares it with what is billed, and values the
// differences. A source that fails keeps its earlier findings and is reported; none of its resources is
// called a ghost.
import pLimit from 'p-limit';
import type { Id } from '#kernel/ids.ts';
import { moneyDecimal, moneyText } from '#kernel/money.ts';
import { decimalText } from '#kernel/decimal.ts';
import { hourMs } from '#kernel/durations.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { postToAdmins } from '#features/messaging/notifications/server/index.ts';
import { subscriptionsByIds, type SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import type { ItemKind } from '#features/metering/connectors/contract-sources.ts';
import {
  kindsOf,
  ownersOf,
  reconciledConnectors,
  sizeIn,
  SourceFailure,
  takeInventory,
  usageOfFields,
  type InventoryItem,
  type ReconciledConnector,
} from '#features/metering/connectors/server/index.ts';
import type { Run, RunSource } from '../contract.ts';
import { compare, isNewlyAbove, type Compared, type Existing, type Paying } from '../rules.ts';
import {
  beginRun,
  endRun,
  forgetSources,
  insertRun,
  knownResources,
  missingSince,
  newestRun,
  noteSource,
  paidAt,
  readSettings,
  replaceMissing,
  runById,
  sourceStates,
  unbilledBefore,
} from './store.ts';
import {
  findingTotals,
  firstFound,
  lockFindings,
  replaceFindings,
  type NewFinding,
} from './store-findings.ts';
import {
  hasFee,
  priceBook,
  questionsOf,
  valuesOf,
  type PriceBook,
  type Questions,
  type Valued,
} from './value.ts';

export const jobName = 'reconciliation';
const by = { actor: { kind: 'system', name: 'reconciliation' } } as const;
const reading = { ...by, mode: 'read' } as const;
const atOnce = 3;
/** A run that has waited longer has lost its job. */
const longestWaitMs = hourMs;

/** Requests a run; does nothing if one is already waiting. */
export async function askRun(ctx: Ctx): Promise<Id<'rcr'>> {
  await lockUntilEnd(ctx, 'reconciliation');
  const waiting = await newestRun(ctx, 'waiting');
  if (waiting && ctx.now.getTime() - waiting.askedAt.getTime() < longestWaitMs) return waiting.id;
  const runId = await insertRun(ctx, ctx.actor.kind === 'user' ? ctx.actor.userId : null);
  await ctx.enqueue(jobName, { runId }, runId);
  ctx.publish('system/connectors', { kind: 'connectors' });
  return runId;
}

/** Executes a run; a repeated one starts over. Never throws for a failing source. */
export async function doRun(app: App, runId: string, signal: AbortSignal): Promise<void> {
  const run = await unitOfWork(app, reading, (ctx) => runById(ctx, runId));
  if (!run || run.state === 'done') return;
  const all = await unitOfWork(app, reading, (ctx) => reconciledConnectors(ctx));
  const wanted = all.filter((each) => each.hasInventory && !each.isPaused);
  await unitOfWork(app, by, async (ctx) => {
    await beginRun(ctx, runId);
    await forgetSources(
      ctx,
      wanted.map(({ id }) => id),
    );
    ctx.publish('system/connectors', { kind: 'connectors' });
  });
  const limit = pLimit(atOnce);
  const sources = await Promise.all(wanted.map((each) => limit(() => reconcile(app, each, all, signal))));
  signal.throwIfAborted();
  await unitOfWork(app, by, (ctx) =>
    finish(
      ctx,
      run,
      sources.flatMap((each) => each ?? []),
    ),
  );
}

/** Reconciles one connector; undefined if it was deleted. */
async function reconcile(
  app: App,
  { id, name }: ReconciledConnector,
  all: readonly ReconciledConnector[],
  signal: AbortSignal,
): Promise<RunSource | undefined> {
  const at = app.clock.now();
  const taken = await takeInventory(app, id, signal);
  if (!taken) return undefined;
  if ('failure' in taken) return failed(app, { connectorId: id, name, items: 0, failure: taken.failure });
  const { connector, items } = taken;
  try {
    const plan = await unitOfWork(app, reading, (ctx) => planOf(ctx, connector, items, all, at));
    const made = await usageOfFields(connector, plan.questions.rows);
    await unitOfWork(app, by, (ctx) => record(ctx, connector, items, all, plan, made, at));
    return { connectorId: id, name, items: items.length, failure: null };
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    const failure = { code: error.code, detail: error.detail };
    return failed(app, { connectorId: id, name, items: 0, failure });
  }
}

async function failed(
  app: App,
  source: RunSource & { readonly failure: NonNullable<RunSource['failure']> },
): Promise<RunSource> {
  await unitOfWork(app, by, (ctx) => noteSource(ctx, source.connectorId, { failure: source.failure }));
  return source;
}

type Plan = {
  readonly compared: Compared;
  readonly found: readonly Valued[];
  readonly questions: Questions;
  readonly subscriptions: ReadonlyMap<string, SubscriptionRow>;
};

const isOver = ({ state, endsAt }: SubscriptionRow, now: Date): boolean =>
  state === 'canceled' || state === 'expired' || (endsAt !== null && endsAt <= now);

/** Finds what differs, and what must be evaluated to value it. */
async function planOf(
  ctx: Ctx,
  connector: ReconciledConnector,
  items: readonly InventoryItem[],
  all: readonly ReconciledConnector[],
  at: Date,
): Promise<Plan> {
  const { origin } = new URL(connector.address);
  const beside = all.filter((each) => each.id !== connector.id && new URL(each.address).origin === origin);
  const owners = await ownersOf(ctx, connector, items);
  const elsewhere = await paidAt(
    ctx,
    beside.map(({ id }) => id),
  );
  const existing = items.map(({ resource, size }): Existing => ({
    resource,
    size,
    ownerId: owners.get(resource) ?? elsewhere.get(resource) ?? null,
  }));
  const rows = await knownResources(ctx, connector.id);
  const ids = new Set([
    ...existing.flatMap(({ ownerId }) => ownerId ?? []),
    ...rows.flatMap((row) => row.subscriptionId ?? []),
  ]);
  const subscriptions = new Map<string, SubscriptionRow>(
    (await subscriptionsByIds(ctx.db, [...ids])).map((row) => [row.id, row]),
  );
  const { ghostHours } = await readSettings(ctx);
  const compared = compare({
    existing,
    known: rows.map((row) => ({
      ...row,
      size: sizeIn(connector.options, row.fields),
      lastStart: new Date(row.lastSeenAt.getTime() - connector.windowSeconds * 1000),
      lastEnd: row.lastSeenAt,
    })),
    paying: await payingOf(subscriptions, await priceBook(ctx), ctx.now),
    missing: await missingSince(ctx, connector.id),
    at,
    ghostHours,
  });
  const since = await firstFound(ctx, connector.id);
  const [itemOf, knownOf] = [byResource(items), byResource(rows)];
  const found = compared.differences.map((difference): Valued => ({
    difference,
    item: itemOf.get(difference.resource),
    known: knownOf.get(difference.resource),
    firstFoundAt: since.get(difference.resource) ?? ctx.now,
  }));
  return {
    compared,
    found,
    questions: await questionsOf(ctx, connector, found, subscriptions),
    subscriptions,
  };
}

const byResource = <T extends { readonly resource: string }>(all: readonly T[]): ReadonlyMap<string, T> =>
  new Map(all.map((each) => [each.resource, each]));

async function payingOf(
  subscriptions: ReadonlyMap<string, SubscriptionRow>,
  book: PriceBook,
  now: Date,
): Promise<ReadonlyMap<string, Paying>> {
  const paying = new Map<string, Paying>();
  for (const [id, row] of subscriptions) {
    const price = await book(row.serviceId, row.organizationId);
    paying.set(id, {
      isOver: isOver(row, now),
      quantity: Number(row.quantity),
      // A subscription canceled for the end of its term has already been decided on.
      hasFee: row.state !== 'cancelling' && price !== undefined && hasFee(price, row),
    });
  }
  return paying;
}

const differenceKey = ({ kind, resource }: Compared['differences'][number]): string => `${kind} ${resource}`;

/**
 * Records the remaining differences, unless a later inventory of the connector was recorded in the meantime.
 * Findings that an Admin decided on while their values were computed are not reported again; differences
 * caused by such a decision are found by the next run.
 */
async function record(
  ctx: Ctx,
  connector: ReconciledConnector,
  items: readonly InventoryItem[],
  all: readonly ReconciledConnector[],
  { found, questions, subscriptions }: Plan,
  made: Awaited<ReturnType<typeof usageOfFields>>,
  at: Date,
): Promise<void> {
  await lockFindings(ctx, connector.id);
  const state = (await sourceStates(ctx)).find(({ connectorId }) => connectorId === connector.id);
  if (state?.readAt && state.readAt > at) return;
  const { compared } = await planOf(ctx, connector, items, all, at);
  const isThere = new Set(compared.differences.map(differenceKey));
  const { prices } = await readSettings(ctx);
  const chosen = new Map<string, string>(
    prices
      .filter(({ connectorId }) => connectorId === connector.id)
      .map((each) => [each.itemKind, each.serviceId]),
  );
  const values = await valuesOf(
    connector,
    found,
    questions,
    made,
    subscriptions,
    chosen,
    await priceBook(ctx),
  );
  const kinds = kindsOf(connector.options);
  // A missing resource has the kind of all items of its connector, if there is only one.
  const gone = kinds.length === 1 ? (kinds[0] ?? 'other') : 'other';
  await replaceFindings(
    ctx,
    connector.id,
    found.flatMap((each, place) =>
      isThere.has(differenceKey(each.difference))
        ? [newFinding(each, gone, values[place] ?? { serviceId: null, amount: null })]
        : [],
    ),
  );
  await replaceMissing(ctx, connector.id, compared.missing);
  await noteSource(ctx, connector.id, { items: items.length, failure: null });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function newFinding(
  { difference, item, known }: Valued,
  gone: ItemKind,
  { serviceId, amount }: { serviceId: string | null; amount: NewFinding['amount'] },
): NewFinding {
  const fields = item?.fields ?? known?.fields ?? {};
  return {
    ...difference,
    itemKind: item?.kind ?? gone,
    name: item?.name ?? textOf(fields['name']),
    project: item?.project ?? textOf(fields['project']),
    size: item?.size ?? '',
    since: item?.since ?? null,
    itemState: item?.state ?? '',
    serviceId,
    amount,
    fields,
  };
}

async function finish(ctx: Ctx, run: Run, sources: readonly RunSource[]): Promise<void> {
  const { totals, counts } = await findingTotals(ctx);
  await endRun(ctx, run.id, sources, counts, totals);
  ctx.publish('system/connectors', { kind: 'connectors' });
  const { noticeAbove: limit } = await readSettings(ctx);
  if (!limit) return;
  const { currency } = limit;
  const amount = totals.find((each) => each.kind === 'unbilled' && each.amount.currency === currency)?.amount;
  if (!amount || !isNewlyAbove(await unbilledBefore(ctx, run.id, currency), amount.minor, limit.minor))
    return;
  await postToAdmins(ctx, {
    kind: 'system.unbilled',
    type: 'warning',
    category: 'system',
    subject: run.id,
    period: '',
    textKey: 'reconciliation.notice_unbilled',
    params: {
      amount: moneyText(amount),
      currency,
      limit: decimalText(moneyDecimal(limit)),
      count: counts.unbilled,
    },
    link: '/admin/reconciliation',
  });
}
