// The encrypted JSON of the simulated ECPay, and its rejections. Written from the documentation, independent
// of our code.
import { createCipheriv, createDecipheriv } from 'node:crypto';

export type Data = Record<string, unknown>;
export type Keys = { readonly hashKey: string; readonly hashIv: string };

/** A call that ECPay rejects with a code and a message. */
export class Refusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
export const refuse = (code: number, message: string): never => {
  throw new Refusal(code, message);
};

export function encrypted(value: unknown, { hashKey, hashIv }: Keys): string {
  const query = new URLSearchParams([['', JSON.stringify(value)]]).toString().slice(1);
  const cipher = createCipheriv('aes-128-cbc', hashKey, hashIv);
  return Buffer.concat([cipher.update(query), cipher.final()]).toString('base64');
}
export function decrypted(text: string, { hashKey, hashIv }: Keys): Data {
  const decipher = createDecipheriv('aes-128-cbc', hashKey, hashIv);
  const query = Buffer.concat([decipher.update(text, 'base64'), decipher.final()]).toString('utf8');
  return JSON.parse(new URLSearchParams(`x=${query}`).get('x') ?? '') as Data;
}
