// ECPay's envelope: JSON, form-encoded, encrypted by AES-128-CBC, as Base64. Source: ECPay, 「參數加密方式說明」
// (developers.ecpay.com.tw/24329), and the test vectors in ECPay's own repository ECPay-API-Skill, version
// 3.1 of April 2026.
import { createCipheriv, createDecipheriv } from 'node:crypto';

/** A decimal number that is serialized exactly as its text, without a conversion to floating point. */
export class ExactNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
export type JsonValue =
  | string
  | number
  | bigint
  | ExactNumber
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** Serializes JSON with whole and decimal numbers of any size. */
export function jsonText(value: JsonValue): string {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string' || typeof value === 'number') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(jsonText).join(',')}]`;
  return `{${Object.entries(value)
    .map(([name, part]) => `${JSON.stringify(name)}:${jsonText(part)}`)
    .join(',')}}`;
}
const isList = (value: readonly JsonValue[] | object): value is readonly JsonValue[] => Array.isArray(value);

/** The keys of a merchant: 16 letters and digits each. */
export type AesKeys = { readonly hashKey: string; readonly hashIv: string };

/** Encodes like PHP's urlencode: a space is +, and ! ' ( ) * ~ are escaped, too. */
function formEncoded(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replaceAll(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Returns the Data field of a request. Throws (RangeError of Node's cipher) if a key does not have 16 bytes.
 */
export function encryptData(json: string, { hashKey, hashIv }: AesKeys): string {
  const cipher = createCipheriv('aes-128-cbc', Buffer.from(hashKey), Buffer.from(hashIv));
  return cipher.update(formEncoded(json), 'utf8', 'base64') + cipher.final('base64');
}

/** Returns the JSON text in the Data field of a response. Throws if it was not encrypted with these keys. */
export function decryptData(data: string, { hashKey, hashIv }: AesKeys): string {
  const decipher = createDecipheriv('aes-128-cbc', Buffer.from(hashKey), Buffer.from(hashIv));
  const text = decipher.update(data, 'base64', 'utf8') + decipher.final('utf8');
  return decodeURIComponent(text.replaceAll('+', '%20'));
}
