// Assigns numbers from the seller's tracks to waiting invoices, in order of time: number and invoice change
// in one transaction.
import { randomInt } from 'node:crypto';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { EInvoiceProviderName } from '../contract.ts';
import { deadlineOf, einvoiceNumber, periodOf, runsLow, trackLeft } from '../rules.ts';
import { notifyLow } from './notices.ts';
import { einvoiceActor } from './plan.ts';
import { einvoiceSetting } from './settings.ts';
import { assignNumber, noteWaiting, waitingForNumber } from './store-queue.ts';
import { advanceTrack, lockTracks, type StoredTrack } from './store-tracks.ts';

const atOnce = 20;

/** Assigns numbers to all waiting invoices, as far as the tracks of the current period suffice. */
export async function assignNumbers(app: App, provider: EInvoiceProviderName): Promise<void> {
  while ((await unitOfWork(app, { actor: einvoiceActor }, (ctx) => assignSome(ctx, provider))) === atOnce);
}

async function assignSome(ctx: Ctx, provider: EInvoiceProviderName): Promise<number> {
  const period = periodOf(ctx.now);
  const tracks = await lockTracks(ctx, period);
  const waiting = await waitingForNumber(ctx, atOnce);
  if (waiting.length === 0) return 0;
  const { consumerHours, companyHours, lowPercent } = await ctx.setting(einvoiceSetting);
  const ranges = tracks.map((track) => ({ track, next: track.next, issuedAt: track.lastIssuedAt }));
  let given = 0;
  for (const { id, kind } of waiting) {
    const range = ranges.find(({ track, next }) => next <= track.to);
    if (!range) break;
    // Another process's clock may be slightly ahead: dates must not decrease while numbers increase. Both are
    // in this period.
    range.issuedAt = range.issuedAt && range.issuedAt > ctx.now ? range.issuedAt : ctx.now;
    await assignNumber(ctx, id, {
      provider,
      trackId: range.track.id,
      period,
      number: einvoiceNumber(range.track.letters, range.next),
      randomCode: String(randomInt(10_000)).padStart(4, '0'),
      issuedAt: range.issuedAt,
      dueAt: deadlineOf(range.issuedAt, kind === 'company' ? companyHours : consumerHours),
    });
    range.next += 1;
    given += 1;
  }
  for (const { track, next, issuedAt } of ranges)
    if (issuedAt && next > track.next) await advanceTrack(ctx, track.id, next, issuedAt);
  const waits = waiting.slice(given);
  await noteWaiting(
    ctx,
    waits.map(({ id }) => id),
    'einvoices.no_number',
  );
  await warnLow(ctx, period, tracks, ranges, waits.length > 0, lowPercent);
  return given;
}

/** Notifies operators once when few numbers of a period are left, and once when none is. */
async function warnLow(
  ctx: Ctx,
  period: string,
  tracks: readonly StoredTrack[],
  ranges: readonly { readonly track: StoredTrack; readonly next: number }[],
  isOut: boolean,
  lowPercent: number,
): Promise<void> {
  const whole = tracks.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const left = ranges.reduce((sum, { track, next }) => sum + trackLeft(track.to, next), 0);
  if (isOut || runsLow(left, whole, lowPercent)) await notifyLow(ctx, period, whole, left);
}
