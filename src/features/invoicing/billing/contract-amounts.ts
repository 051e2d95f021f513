// Amounts set for all organizations or for one, by currency, as returned by the API.
import * as z from 'zod/mini';
import type { IdPrefix } from '#kernel/ids.ts';
import { acceptedMoney, currency, id, instant, moneyShape } from '#kernel/shape.ts';

/** A stored amount. */
export const amountOf = <P extends IdPrefix>(prefix: P) =>
  z.strictObject({
    id: id(prefix),
    /** Null: for all organizations without their own amount in the currency. */
    organizationId: z.nullable(id('org')),
    organization: z.nullable(z.string()),
    currency,
    /** Null: exempts this organization from what is set for all. */
    amount: z.nullable(moneyShape),
    setBy: z.string(),
    setAt: instant,
  });

export type SetAmount = z.output<ReturnType<typeof amountOf>>;

/** The input to set an amount; a null organization means all. */
export const AmountToSet = z.strictObject({
  organizationId: z.nullable(id('org')),
  currency,
  amount: z.nullable(acceptedMoney),
});
export type AmountToSet = z.output<typeof AmountToSet>;
