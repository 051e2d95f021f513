// Creates the proof of a bill: its contents, the prices of its lines, how usage was counted, and the events
// themselves, signed.
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { chunksOf } from '#kernel/chunks.ts';
import type { FileAnswer, In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { currencies } from '#kernel/money.ts';
import { monthPeriod } from '#kernel/time.ts';
import { zipOf, type ZipEntry } from '#platform/server/files/zip.ts';
import { yieldToEventLoop } from '#platform/server/jobs/yield-to-event-loop.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { priceVersionsByIds } from '#features/selling/catalogue/server/index.ts';
import { subscriptionsByIds, type SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import {
  countedUsage,
  eventsOfBill,
  type BilledEvent,
  type CountedUsage,
} from '#features/metering/usage/server/index.ts';
import { BillDetail, BillLine, LineStep } from '#features/invoicing/billing/contract.ts';
import { billById, linesOfBill, type StoredLine } from '#features/invoicing/billing/server/index.ts';
import { presentKey, publicKeyFile, signatureFile } from '#features/operations/licensing/server/index.ts';
import { billProofErrors, mostEvents, type billProofs } from '../contract.ts';
import { programFiles } from './program.ts';

/**
 * Returns the proof of the caller's own bill. Without events when the bill charges another organization's
 * usage.
 */
export const billProof = (ctx: Ctx, { billId }: In<typeof billProofs.billProof>): Promise<FileAnswer> =>
  proofOf(ctx, billId, tenant(ctx));

/** Returns the proof of any bill, for an Admin. */
export const adminBillProof = (
  ctx: Ctx,
  { billId }: In<typeof billProofs.adminBillProof>,
): Promise<FileAnswer> => proofOf(ctx, billId, null);

/** A bill without its lines, for which a proof has its own format. */
const ProvenBill = z.omit(BillDetail, { lines: true, change: true });

/** Why a proof has no events, as the program prints it. */
const missingReasons = {
  foreign: 'its events are those of the organization that used it',
  deleted: 'its events have been deleted',
  too_many: `the bill has more than ${mostEvents} events`,
} as const;

async function proofOf(ctx: Ctx, billId: Id<'bil'>, ownerId: Id<'org'> | null): Promise<FileAnswer> {
  const bill = await billById(ctx, billId, ownerId);
  if (!bill) throw domainError(billProofErrors, 'billproofs.bill_not_found');
  const lines = await linesOfBill(ctx, bill.id, bill.currency);
  const used = lines.filter(({ kind }) => kind === 'usage');
  const subscriptions = await subscriptionsByIds(ctx.db, [
    ...new Set(used.flatMap(({ subscriptionId }) => subscriptionId ?? [])),
  ]);
  const counted = await countedUsage(ctx, subscriptions, bill.month);
  const isForeign = ownerId !== null && bill.usedBy !== undefined;
  const events = await eventsIn(ctx, bill, subscriptions, counted, isForeign);
  const versions = await priceVersionsByIds(ctx.db, [
    ...new Set(lines.flatMap(({ priceVersionId }) => priceVersionId ?? [])),
  ]);
  const proof = {
    format: 'skytally-bill-proof',
    version: 1,
    madeAt: ctx.now,
    bill: { ...z.encode(ProvenBill, bill), minorDigits: currencies[bill.currency].billingDigits },
    lines: lines.map((line) => lineOf(line, counted)),
    prices: Object.fromEntries(
      [...versions].map(([id, { effectiveFrom, pricing }]) => [id, { effectiveFrom, pricing }]),
    ),
    events: Object.fromEntries(events.map(({ subscriptionId, listed }) => [subscriptionId, listed])),
  };
  const text = `${JSON.stringify(proof, null, 2)}\n`;
  const files: ZipEntry[] = [
    { name: 'bill.json', content: [text] },
    { name: 'bill.json.sig', content: [signatureFile('skytally-bill-proof', await presentKey(ctx), text)] },
    ...events.flatMap(({ listed, content }) => ('file' in listed ? [{ name: listed.file, content }] : [])),
    { name: 'public-keys.json', content: [await publicKeyFile(ctx)] },
    ...(await programFiles()),
  ];
  return { fileName: `${bill.number}-proof.zip`, mediaType: 'application/zip', body: zipOf(files) };
}

function lineOf(line: StoredLine, counted: readonly CountedUsage[]): object {
  const { priceVersionId, steps, ...shown } = line;
  const usage = counted.find(
    (each) =>
      line.kind === 'usage' &&
      each.subscriptionId === line.subscriptionId &&
      each.priceVersionId === priceVersionId &&
      each.charge === (line.charge?.key ?? null),
  );
  return {
    ...z.encode(BillLine, shown),
    price: priceVersionId,
    steps: z.encode(z.array(LineStep), [...steps]),
    usage: usage ? usageOf(usage) : null,
    ...(line.kind === 'usage' && !usage && { why: 'its subscription was changed since' }),
  };
}

function usageOf({ eventsOf, meter, countsOwnType, times, served, share, samples }: CountedUsage): object {
  const { eventType, aggregation, property, p, sampleMinutes, dimensions, filter } = meter;
  return {
    eventsOf,
    meter: {
      eventType,
      countsOwnType,
      aggregation,
      property: property ?? null,
      p: p ?? null,
      sampleMinutes: sampleMinutes ?? null,
      dimensions,
      filter: filter ?? {},
    },
    times,
    served,
    share,
    samples,
  };
}

type Listed =
  | { readonly file: string; readonly sha256: string; readonly count: number }
  | { readonly missing: string };
type EventsOfSubscription = {
  readonly subscriptionId: string;
  readonly listed: Listed;
  readonly content: readonly string[];
};

/** The events of each subscription as a JSON Lines file. */
async function eventsIn(
  ctx: Ctx,
  { month, issuedAt }: Pick<BillDetail, 'month' | 'issuedAt'>,
  subscriptions: readonly SubscriptionRow[],
  counted: readonly CountedUsage[],
  isForeign: boolean,
): Promise<EventsOfSubscription[]> {
  const zones = new Map<string, string>(subscriptions.map(({ id, timeZone }) => [id, timeZone]));
  const wanted = new Map<string, string>(
    counted.map(({ eventsOf, subscriptionId }) => [eventsOf, zones.get(subscriptionId) ?? 'UTC']),
  );
  const found: EventsOfSubscription[] = [];
  let left = mostEvents;
  for (const [subscriptionId, zone] of wanted) {
    const { start, end } = monthPeriod(month, zone);
    const none = (missing: string): EventsOfSubscription => ({
      subscriptionId,
      listed: { missing },
      content: [],
    });
    if (isForeign) {
      found.push(none(missingReasons.foreign));
      continue;
    }
    const where = { subscriptionId, from: start, to: end, zone };
    const read = await eventsOfBill(ctx, where, issuedAt, left);
    if ('missing' in read) {
      found.push(none(missingReasons[read.missing]));
      continue;
    }
    left -= read.events.length;
    const { content, sha256 } = await linesOfEvents(read.events);
    const file = `events-${subscriptionId}.ndjson`;
    found.push({ subscriptionId, listed: { file, sha256, count: read.events.length }, content });
  }
  return found;
}

/** Events as JSON lines, in portions between which the event loop is free, and the hash of all of them. */
async function linesOfEvents(
  events: readonly BilledEvent[],
): Promise<{ readonly content: readonly string[]; readonly sha256: string }> {
  const hash = createHash('sha256');
  const content: string[] = [];
  for (const some of chunksOf(events, eventsAtOnce)) {
    const text = some.map((event) => `${JSON.stringify(shownEvent(event))}\n`).join('');
    hash.update(text);
    content.push(text);
    await yieldToEventLoop();
  }
  return { content, sha256: hash.digest('hex') };
}
const eventsAtOnce = 5000;

const shownEvent = ({ cancelsSource, cancelsId, ...event }: BilledEvent): object => ({
  ...event,
  ...(cancelsId !== null && { cancels: { source: cancelsSource, id: cancelsId } }),
});
