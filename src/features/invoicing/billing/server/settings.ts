// Settings of billing.
import * as z from 'zod/mini';
import { currency } from '#kernel/shape.ts';
import type { Currency } from '#kernel/money.ts';
import { setting } from '#platform/server/unit-of-work/settings.ts';
import { maxGraceHours } from '../contract.ts';

/** How many hours after the end of a month the schedule closes it, to allow for late events. */
export const graceHours = setting(
  'billing.graceHours',
  z.int().check(z.minimum(0), z.maximum(maxGraceHours)),
  72,
);
/** How many days after issue a bill is due. */
export const dueDays = setting('billing.dueDays', z.int().check(z.minimum(0), z.maximum(365)), 30);
/** The currency suggested for new prices. */
export const mainCurrency = setting<Currency>('general.currency', currency, 'TWD');
/**
 * The seller on documents: the legal name (by default the company and the console's name), 統一編號, address and
 * e-mail.
 */
export const seller = setting(
  'billing.seller',
  z.strictObject({ name: z.string(), taxId: z.string(), address: z.string(), email: z.string() }),
  { name: '', taxId: '', address: '', email: '' },
);
