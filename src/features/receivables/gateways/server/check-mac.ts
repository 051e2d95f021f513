// ECPay's CheckMacValue: SHA-256 over all fields between the two secrets, URL-encoded like .NET.
import { createHash, timingSafeEqual } from 'node:crypto';

/** The check code of a form's fields (all but the code itself), by ECPay's appendix "檢查碼機制". */
export function checkMacValue(
  fields: Readonly<Record<string, string>>,
  hashKey: string,
  hashIv: string,
): string {
  const names = Object.keys(fields)
    .filter((name) => name !== 'CheckMacValue')
    .toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  const all = [
    `HashKey=${hashKey}`,
    ...names.map((name) => `${name}=${fields[name] ?? ''}`),
    `HashIV=${hashIv}`,
  ].join('&');
  return createHash('sha256').update(dotNetEncoded(all)).digest('hex').toUpperCase();
}

/** .NET leaves - _ . ! * ( ) unescaped and encodes spaces as +; ECPay uses the whole text in lower case. */
function dotNetEncoded(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replaceAll("'", '%27')
    .replaceAll('~', '%7E')
    .toLowerCase();
}

/** Whether a form has the right check code, compared in constant time. */
export function isCheckMacRight(
  fields: Readonly<Record<string, string>>,
  hashKey: string,
  hashIv: string,
): boolean {
  const given = Buffer.from(fields['CheckMacValue'] ?? '');
  const right = Buffer.from(checkMacValue(fields, hashKey, hashIv));
  return given.length === right.length && timingSafeEqual(given, right);
}
