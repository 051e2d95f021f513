// How orders, payers and times are written for ECPay.
import type { Id } from '#kernel/ids.ts';
import type { EcpayConfig } from '#platform/server/config.ts';

/** ECPay's order number: at most 20 letters and digits, and always the same for one payment or one entry of a card. */
export const orderNumber = (id: Id<'pay'> | Id<'cst'>): string => id.slice(-20);

/** A payer's number at ECPay (MerchantMemberID): the merchant's, then the organization's; letters and digits, at most 30. */
export const payerNumber = ({ merchantId }: EcpayConfig, organizationId: string): string =>
  `${merchantId}${organizationId.slice(-20)}`;

/** Taiwan keeps UTC+8 all year. */
export function taipeiTime(moment: Date): string {
  return new Date(moment.getTime() + 8 * 3_600_000)
    .toISOString()
    .slice(0, 19)
    .replaceAll('-', '/')
    .replace('T', ' ');
}

/** ECPay takes no signs in words about an order. */
export const withoutSigns = (words: string): string => words.replaceAll(/[^\p{L}\p{N} -]/gu, ' ');
