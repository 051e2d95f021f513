// Resale: organizations that sell to organizations of their own, and at which prices. Its calls are those of invoicing/resellers.
import * as z from 'zod/mini';
import { id, unsignedDecimal } from '#kernel/shape.ts';
import { chargeKey } from '#features/selling/rating/contract.ts';

/** Percent that are added to a price: up to 1000, with up to four digits behind the point. */
export const markUpPercent = z.string().check(z.regex(/^(1000(\.0{1,4})?|\d{1,3}(\.\d{1,4})?)$/));
/** The most services, and charges of one, that have mark-ups of their own. */
export const mostMarkedUp = 500;

/** What a reseller adds to one service's prices. */
export const ServiceMarkUp = z.strictObject({
  serviceId: id('svc'),
  /** Null: as to everything. */
  percent: z.nullable(markUpPercent),
  /** Prices of its own for charges that have one amount: of a fee, a unit or a package. */
  charges: z.array(z.strictObject({ key: chargeKey, amount: unsignedDecimal })).check(z.maxLength(50)),
});
export type ServiceMarkUp = z.output<typeof ServiceMarkUp>;

/** What a reseller adds to what it pays itself. */
export const MarkUps = z.strictObject({
  percent: markUpPercent,
  services: z.array(ServiceMarkUp).check(z.maxLength(mostMarkedUp)),
});
export type MarkUps = z.output<typeof MarkUps>;
