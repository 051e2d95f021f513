/**
 * What providers know a document by: 20 lower-case letters and digits of its id, of which 16 are random. The shortest limit is 20
 * (ezPay MerchantOrderNo, ECPay B2B RelateNumber in exchange mode, MIG 4.1 RelateNumber); none of them tells cases apart.
 */
export function orderNumber(id: string): string {
  return id.slice(-20);
}
