// The formats of orders, payers and times for ECPay.
import type { Id } from '#kernel/ids.ts';
import { hourMs } from '#kernel/durations.ts';
import type { EcpayConfig } from '#platform/server/config.ts';

/** ECPay's order number: at most 20 letters and digits, always the same for one payment or one card entry. */
export const orderNumber = (id: Id<'pay'> | Id<'cst'>): string => id.slice(-20);

/**
 * A payer's number at ECPay (MerchantMemberID): the merchant's, followed by the organization's; at most 30
 * letters and digits.
 */
export const payerNumber = ({ merchantId }: EcpayConfig, organizationId: string): string =>
  `${merchantId}${organizationId.slice(-20)}`;

/** Taiwan keeps UTC+8 all year. */
export function taipeiTime(moment: Date): string {
  return new Date(moment.getTime() + 8 * hourMs)
    .toISOString()
    .slice(0, 19)
    .replaceAll('-', '/')
    .replace('T', ' ');
}

/** Removes characters that ECPay does not accept in an order's texts. */
export const withoutSigns = (words: string): string => words.replaceAll(/[^\p{L}\p{N} -]/gu, ' ');
