// Month packs: all documents of a month for the accountant in one archive, created on request and kept for
// some days.
import * as z from 'zod/mini';
import { contract, file, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { currency, id, instant, moneyShape, month } from '#kernel/shape.ts';

/** `interrupted`: the pack was running and has not reported progress for minutes. `removed`: it expired. */
export const packStates = [
  'waiting',
  'running',
  'done',
  'stopped',
  'failed',
  'interrupted',
  'removed',
] as const;

/** The totals of the archive's documents in a currency. */
export const PackTotals = z.strictObject({
  currency,
  bills: z.strictObject({ count: z.int(), net: moneyShape, tax: moneyShape, total: moneyShape }),
  /** The amounts reversed by voiding some of these bills. */
  voided: z.strictObject({ count: z.int(), net: moneyShape, tax: moneyShape, total: moneyShape }),
  creditNotes: z.strictObject({ count: z.int(), net: moneyShape, tax: moneyShape, total: moneyShape }),
  /** Money received in the month, and money paid back in it. */
  received: moneyShape,
  refunded: moneyShape,
  /**
   * Money that providers withdrew because of disputes, and money that they returned. `fees`: the provider's
   * charges for disputes, absent from an organization's own pack. Packs made before this console supported
   * disputes have no `disputes`.
   */
  disputes: z.optional(
    z.strictObject({ withdrawn: moneyShape, reinstated: moneyShape, fees: z.nullable(moneyShape) }),
  ),
});
export type PackTotals = z.output<typeof PackTotals>;

export const Pack = z.strictObject({
  id: id('pak'),
  month,
  state: z.enum(packStates),
  askedAt: instant,
  askedBy: z.string(),
  finishedAt: z.nullable(instant),
  /** The number of bills and credit notes, and how many of them are rendered. */
  documentsTotal: z.int(),
  documentsDone: z.int(),
  /** Only for a finished pack: its size in bytes, its totals, and until when it is kept. */
  sizeBytes: z.nullable(z.int()),
  totals: z.nullable(z.array(PackTotals)),
  keptUntil: z.nullable(instant),
  problem: z.nullable(z.string()),
});
export type Pack = z.output<typeof Pack>;

const admin = { roles: ['Admin'] } as const;
const member = { roles: ['User', 'ReadOnly'] } as const;
const ofMonth = z.strictObject({ month });
const onePack = z.strictObject({ packId: id('pak') });
const listed = z.strictObject({ items: z.array(Pack) });
const none = z.strictObject({});

export const packs = contract({
  makePack: route({
    method: 'POST',
    path: '/admin/packs',
    access: admin,
    status: 202,
    summary: 'Create a month pack',
    description: 'For a month that’s over. If one is already being created, that one is returned.',
    input: ofMonth,
    output: Pack,
  }),
  listPacks: route({
    method: 'GET',
    path: '/admin/packs',
    access: admin,
    isBatchable: true,
    summary: 'List all month packs',
    description: 'Those of every organization, newest first.',
    input: none,
    output: listed,
  }),
  stopPack: route({
    method: 'POST',
    path: '/admin/packs/:packId/stop',
    access: admin,
    summary: 'Stop a month pack',
    description: 'Nothing of it is kept.',
    input: onePack,
    output: nothing,
  }),
  downloadPack: route({
    method: 'GET',
    path: '/admin/packs/:packId/file',
    access: admin,
    atOnce: 2,
    summary: 'Download any month pack',
    description: 'A zip archive.',
    input: onePack,
    output: file,
  }),

  makeOwnPack: route({
    method: 'POST',
    path: '/billing/packs',
    access: member,
    status: 202,
    perMinute: 12,
    summary: 'Create your month pack',
    description: 'For a month that’s over. If one is already being created, that one is returned.',
    input: ofMonth,
    output: Pack,
  }),
  listOwnPacks: route({
    method: 'GET',
    path: '/billing/packs',
    access: member,
    isBatchable: true,
    summary: 'List your month packs',
    description: 'Newest first.',
    input: none,
    output: listed,
  }),
  stopOwnPack: route({
    method: 'POST',
    path: '/billing/packs/:packId/stop',
    access: member,
    summary: 'Stop your month pack',
    description: 'Nothing of it is kept.',
    input: onePack,
    output: nothing,
  }),
  downloadOwnPack: route({
    method: 'GET',
    path: '/billing/packs/:packId/file',
    access: member,
    atOnce: 2,
    summary: 'Download your month pack',
    description: 'A zip archive.',
    input: onePack,
    output: file,
  }),
});

export const packsErrors = {
  'packs.not_found': 404,
  'packs.month_not_over': 409,
  'packs.not_running': 409,
  'packs.not_there': 409,
  'packs.too_many': 422,
} as const satisfies ErrorTable;
