// Settings of billing.
import * as z from 'zod/mini';
import { currency } from '#kernel/shape.ts';
import type { Currency } from '#kernel/money.ts';
import { setting } from '#platform/server/unit-of-work/settings.ts';

/** Hours after a month's end before it is closed by schedule, for late events. */
export const graceHours = setting('billing.graceHours', z.int().check(z.minimum(0), z.maximum(720)), 72);
/** Days after issue until a bill is due. */
export const dueDays = setting('billing.dueDays', z.int().check(z.minimum(0), z.maximum(365)), 30);
/** Currency that new prices are proposed in. */
export const mainCurrency = setting<Currency>('general.currency', currency, 'TWD');
/** Who sells, as documents say it: the legal name (else company and console), 統一編號, address and e-mail. */
export const seller = setting(
  'billing.seller',
  z.strictObject({ name: z.string(), taxId: z.string(), address: z.string(), email: z.string() }),
  { name: '', taxId: '', address: '', email: '' },
);
