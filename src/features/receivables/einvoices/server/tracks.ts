// Tracks: ranges of numbers that the Ministry allocates for two months.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { einvoicesErrors, type einvoices, type Track } from '../contract.ts';
import { einvoiceNumber, isPeriod, periodOf, trackLeft } from '../rules.ts';
import { einvoiceSetting } from './settings.ts';
import {
  deleteTrack,
  insertTrack,
  overlaps,
  pageOfTracks,
  trackById,
  type StoredTrack,
} from './store-tracks.ts';

/** Ranges come in books of fifty numbers: the first ends in 00 or 50, the last in 49 or 99. */
const book = 50;

const shown = (ctx: Ctx, { next, lastIssuedAt: _last, ...track }: StoredTrack): Track => {
  const now = periodOf(ctx.now);
  return {
    ...track,
    used: next - track.from,
    left: trackLeft(track.to, next),
    stands: track.period < now ? 'past' : track.period === now ? 'current' : 'future',
  };
};

export async function listTracks(ctx: Ctx, input: In<typeof einvoices.listTracks>): Promise<Page<Track>> {
  const page = await pageOfTracks(ctx, input);
  return { ...page, items: page.items.map((track) => shown(ctx, track)) };
}

const digitsOf = (text: string, field: 'from' | 'to'): number => {
  if (!/^\d{8}$/.test(text)) throw domainError(einvoicesErrors, 'einvoices.digits_wrong', {}, [field]);
  return Number(text);
};

/** Adds a range. No number may be in two ranges; numbers of a past period would never be used. */
export async function addTrack(ctx: Ctx, input: In<typeof einvoices.addTrack>): Promise<Track> {
  const { provider } = await ctx.setting(einvoiceSetting);
  if (provider === 'ecpay' || provider === 'ezpay')
    throw domainError(einvoicesErrors, 'einvoices.tracks_needless');
  const { period, letters } = input;
  if (!isPeriod(period)) throw domainError(einvoicesErrors, 'einvoices.period_wrong', {}, ['period']);
  if (period < periodOf(ctx.now)) throw domainError(einvoicesErrors, 'einvoices.period_past', {}, ['period']);
  if (!/^[A-Z]{2}$/.test(letters))
    throw domainError(einvoicesErrors, 'einvoices.letters_wrong', {}, ['letters']);
  const [from, to] = [digitsOf(input.from, 'from'), digitsOf(input.to, 'to')];
  if (from > to) throw domainError(einvoicesErrors, 'einvoices.range_reversed', {}, ['to']);
  if (from % book !== 0) throw domainError(einvoicesErrors, 'einvoices.range_uneven', {}, ['from']);
  if (to % book !== book - 1) throw domainError(einvoicesErrors, 'einvoices.range_uneven', {}, ['to']);
  // Two Admins adding the same range concurrently get the same result as one after the other.
  await lockUntilEnd(ctx, 'einvoices.tracks');
  if (await overlaps(ctx, { period, letters, from, to }))
    throw domainError(einvoicesErrors, 'einvoices.track_overlaps', {}, ['from']);
  const id = ctx.newId('etr');
  await insertTrack(ctx, { id, period: period as BillingMonth, letters, from, to }, person(ctx).userId);
  ctx.audit('einvoices.addTrack', id, {
    period,
    from: einvoiceNumber(letters, from),
    to: einvoiceNumber(letters, to),
  });
  ctx.publish('system/billing', { kind: 'einvoice' });
  return shown(ctx, required(await trackById(ctx, id), 'the range that was just added'));
}

/** Removes a range that was entered by mistake, from which no number was taken. */
export async function removeTrack(ctx: Ctx, input: In<typeof einvoices.removeTrack>): Promise<null> {
  const track = await trackById(ctx, input.trackId, true);
  if (!track) throw domainError(einvoicesErrors, 'einvoices.track_not_found');
  if (track.next !== track.from) throw domainError(einvoicesErrors, 'einvoices.track_used');
  await deleteTrack(ctx, track.id);
  ctx.audit('einvoices.removeTrack', track.id, {
    period: track.period,
    from: einvoiceNumber(track.letters, track.from),
    to: einvoiceNumber(track.letters, track.to),
  });
  ctx.publish('system/billing', { kind: 'einvoice' });
  return null;
}
