// One call to ezPay's e-invoice service, and the meaning of its response. Source: ezPay, 「電子發票技術串接手冊」
// EZP_INVI 1.2.x, chapters 四 (encryption), 九 (codes) and appendix 二 (CheckCode), as reproduced by the
// MIT-licensed adapters paid-tw/einvoice and rytass/utils; both were run against cinv.ezpay.com.tw.
import { createCipheriv, createHash, timingSafeEqual } from 'node:crypto';
import { OutboundFailure, postAnswer } from '#platform/server/outbound/outbound.ts';
import { ProviderRefused, ProviderUnsure } from '../provider.ts';
import { answerIn, isAnswer, textOf, type Answer } from './answers.ts';

/** A shop's account: a key of 32 and a vector of 16 letters and digits. */
export type EzpayInvoiceAccount = {
  readonly merchantId: string;
  readonly hashKey: string;
  readonly hashIv: string;
  readonly apiBase: string;
  readonly now: () => Date;
};
export type EzpayFields = Readonly<Record<string, string>>;

const blockBytes = 32;

/**
 * PostData_: the form's fields, padded to a multiple of 32 bytes (not the usual 16), AES-256-CBC, in
 * hexadecimal digits.
 */
export function postData(fields: EzpayFields, { hashKey, hashIv }: EzpayInvoiceAccount): string {
  const plain = Buffer.from(new URLSearchParams(fields).toString());
  const missing = blockBytes - (plain.length % blockBytes);
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(hashKey), Buffer.from(hashIv)).setAutoPadding(
    false,
  );
  return Buffer.concat([
    cipher.update(Buffer.concat([plain, Buffer.alloc(missing, missing)])),
    cipher.final(),
  ]).toString('hex');
}

const checkedFields = ['InvoiceTransNo', 'MerchantID', 'MerchantOrderNo', 'RandomNum', 'TotalAmt'] as const;

/** CheckCode: SHA-256 over five response fields between the two secrets, in upper-case hexadecimal digits. */
export function checkCode(answer: Answer, { hashKey, hashIv }: EzpayInvoiceAccount): string {
  const fields = new URLSearchParams(
    checkedFields.map((name): [string, string] => [name, textOf(answer, name)]),
  );
  return createHash('sha256')
    .update(`HashIV=${hashIv}&${fields.toString()}&HashKey=${hashKey}`)
    .digest('hex')
    .toUpperCase();
}

/** Throws {@link ProviderUnsure} if a response's CheckCode is wrong or missing: it may be forged. */
export function assertCheckCode(answer: Answer, account: EzpayInvoiceAccount): void {
  const [given, right] = [Buffer.from(textOf(answer, 'CheckCode')), Buffer.from(checkCode(answer, account))];
  if (given.length !== right.length || !timingSafeEqual(given, right))
    throw new ProviderUnsure('ezPay’s answer has a wrong CheckCode');
}

/**
 * NOR10001 網路連線異常, KEY10014 TimeOut, INV10021 and IAI10006 異常終止, IAI10003 更新失敗, IAI10005 新增失敗, LIB10014:
 * repeated too soon.
 */
const unsureCodes = new Set([
  'NOR10001',
  'KEY10014',
  'INV10021',
  'IAI10003',
  'IAI10005',
  'IAI10006',
  'LIB10014',
]);

/** 查無發票資料; 商店自訂編號重覆; 發票已作廢過. */
export const ezpayCodes = { absent: 'INV20006', duplicate: 'LIB10003', voidedAlready: 'LIB10005' } as const;

/**
 * Sends fields to a path and returns the Result of a response with Status SUCCESS.
 * @throws ProviderRefused when ezPay says that it did not execute it; ProviderUnsure when it did not say.
 */
export async function ezpayCall(
  account: EzpayInvoiceAccount,
  path: string,
  version: string,
  fields: EzpayFields,
): Promise<Answer> {
  const { status, text } = await posted(account, path, {
    RespondType: 'JSON',
    Version: version,
    TimeStamp: String(Math.floor(account.now().getTime() / 1000)),
    ...fields,
  });
  const answer = answerIn(text);
  const code = answer === undefined ? '' : textOf(answer, 'Status');
  if (answer === undefined || code === '' || status !== 200)
    throw new ProviderUnsure(`ezPay answered ${status} with something else`);
  const message = textOf(answer, 'Message') || 'no reason given';
  if (code !== 'SUCCESS') {
    if (unsureCodes.has(code)) throw new ProviderUnsure(`${code} ${message}`);
    throw new ProviderRefused(code, message);
  }
  const result = answer['Result'];
  const parsed = typeof result === 'string' ? answerIn(result) : result;
  if (!isAnswer(parsed)) throw new ProviderUnsure('ezPay’s answer has no Result');
  if (textOf(parsed, 'MerchantID') !== account.merchantId)
    throw new ProviderUnsure('ezPay answered for another shop');
  return parsed;
}

async function posted(
  account: EzpayInvoiceAccount,
  path: string,
  fields: EzpayFields,
): Promise<{ status: number; text: string }> {
  const form = { MerchantID_: account.merchantId, PostData_: postData(fields, account) };
  try {
    return await postAnswer(account.apiBase.replace(/\/$/, '') + path, { form }, 'environment');
  } catch (error) {
    if (error instanceof OutboundFailure) throw new ProviderUnsure(error.message, { cause: error });
    throw error;
  }
}
