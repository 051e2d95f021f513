// Resale: organizations that sell to their own customer organizations, and their prices. Its routes are in
// invoicing/resellers.
import * as z from 'zod/mini';
import { id, unsignedDecimal } from '#kernel/shape.ts';
import { chargeKey } from '#features/selling/rating/contract.ts';

/** The percentage added to a price: up to 1000, with up to four fraction digits. */
export const markUpPercent = z.string().check(z.regex(/^(1000(\.0{1,4})?|\d{1,3}(\.\d{1,4})?)$/));
/** The maximum number of services, and of charges of one service, with their own mark-ups. */
export const mostMarkedUp = 500;

/** A reseller's mark-up on one service's prices. */
export const ServiceMarkUp = z.strictObject({
  serviceId: id('svc'),
  /** Null: the general percentage. */
  percent: z.nullable(markUpPercent),
  /** Own prices for charges with a single amount: of a fee, a unit or a package. */
  charges: z.array(z.strictObject({ key: chargeKey, amount: unsignedDecimal })).check(z.maxLength(50)),
});
export type ServiceMarkUp = z.output<typeof ServiceMarkUp>;

/** A reseller's mark-ups on its purchase prices. */
export const MarkUps = z.strictObject({
  percent: markUpPercent,
  services: z.array(ServiceMarkUp).check(z.maxLength(mostMarkedUp)),
});
export type MarkUps = z.output<typeof MarkUps>;
