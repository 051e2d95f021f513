/**
 * The number by which providers identify a document: 20 lower-case letters and digits of its id, of which 16
 * are random. The shortest limit is 20 (ezPay MerchantOrderNo, ECPay B2B RelateNumber in exchange mode, MIG
 * 4.1 RelateNumber); none of them is case-sensitive.
 */
export function orderNumber(id: string): string {
  return id.slice(-20);
}
