// Amounts that are set for all organizations or for one, by currency, as they come in answers.
import * as z from 'zod/mini';
import type { IdPrefix } from '#kernel/ids.ts';
import { acceptedMoney, currency, id, instant, moneyShape } from '#kernel/shape.ts';

/** One as it is set. */
export const amountOf = <P extends IdPrefix>(prefix: P) =>
  z.strictObject({
    id: id(prefix),
    /** Null: for all organizations that have none of their own in the currency. */
    organizationId: z.nullable(id('org')),
    organization: z.nullable(z.string()),
    currency,
    /** Null: none for this organization, whatever is set for all. */
    amount: z.nullable(moneyShape),
    setBy: z.string(),
    setAt: instant,
  });

export type SetAmount = z.output<ReturnType<typeof amountOf>>;

/** What sets one; null as organization: for all. */
export const AmountToSet = z.strictObject({
  organizationId: z.nullable(id('org')),
  currency,
  amount: z.nullable(acceptedMoney),
});
export type AmountToSet = z.output<typeof AmountToSet>;
