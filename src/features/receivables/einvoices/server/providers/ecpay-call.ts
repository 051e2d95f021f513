// One call to ECPay's e-invoice service, and the meaning of its response: done, refused, or unknown.
import { randomUUID } from 'node:crypto';
import { OutboundFailure, postAnswer } from '#platform/server/outbound/outbound.ts';
import { ProviderRefused, ProviderUnsure } from '../provider.ts';
import {
  decryptData,
  encryptData,
  jsonText,
  type AesKeys,
  type JsonValue,
} from '#features/receivables/gateways/server/index.ts';
import { answerIn, textOf, type Answer } from './answers.ts';

/**
 * A merchant's account at ECPay. `now` returns the time that each request must carry (valid for ten minutes).
 */
export type EcpayInvoiceAccount = AesKeys & {
  readonly merchantId: string;
  readonly apiBase: string;
  /** Whether companies get invoices through the B2B service. */
  readonly hasB2b: boolean;
  readonly now: () => Date;
};

/**
 * What `RtnMsg` says: the codes have many ranges, while the wording is stable (observed in its test
 * environment in 2026).
 */
export const words = {
  duplicate: /自訂編號.{0,6}重[複覆]|重[複覆].{0,6}自訂編號/,
  voidedAlready: /已(被)?作廢/,
  // For invoices and allowances only: if ECPay does not find the merchant, that says nothing about them.
  absent: /查無.{0,4}(發票|折讓)|無發票.{0,4}資料|查無資料/,
  unknownCustomer: /交易對象/,
} as const;
/** Responses after which the request may have been executed: 財政部 or ECPay itself failed, or took too long. */
const unsureCodes = new Set(['9000001', '10100058', '9999999']);
const unsureWords = /系統(錯誤|異常|忙碌)|稍後|逾時|財政部.{0,6}失敗/;

/**
 * The request was refused with an error code; a refused envelope (wrong keys, unknown merchant) is not this
 * error.
 */
export class EcpayRefusal extends ProviderRefused {
  is(what: RegExp): boolean {
    return what.test(this.message);
  }
}

/**
 * Sends `data` to a path and returns ECPay's response to success (RtnCode 1).
 * @throws ProviderRefused when ECPay says that it did not execute it; ProviderUnsure when it did not say.
 */
export async function ecpayCall(
  account: EcpayInvoiceAccount,
  path: string,
  data: Readonly<Record<string, JsonValue>>,
): Promise<Answer> {
  const isB2b = path.startsWith('/B2BInvoice/');
  const { status, text } = await posted(account, path, {
    MerchantID: account.merchantId,
    RqHeader: {
      Timestamp: Math.floor(account.now().getTime() / 1000),
      // 「RqHeader」: B2C has revision 3.0.0; B2B has 1.0.0 and a request id.
      ...(isB2b ? { RqID: randomUUID(), Revision: '1.0.0' } : { Revision: '3.0.0' }),
    },
    Data: encryptData(jsonText({ MerchantID: account.merchantId, ...data }), account),
  });
  const envelope = answerIn(text);
  const transCode = envelope === undefined ? '' : textOf(envelope, 'TransCode');
  // ECPay refuses whole envelopes with status 500 and a code: an old timestamp (104), a wrong key (110), a
  // disabled service (115).
  if (envelope === undefined || transCode === '')
    throw new ProviderUnsure(`ECPay answered ${status} with something else`);
  if (transCode !== '1')
    throw new ProviderRefused(transCode, textOf(envelope, 'TransMsg') || 'no reason given');
  if (status !== 200) throw new ProviderUnsure(`ECPay answered ${status}`);
  if (textOf(envelope, 'MerchantID') !== account.merchantId)
    throw new ProviderUnsure('ECPay answered for another merchant');
  return judged(decrypted(textOf(envelope, 'Data'), account));
}

async function posted(
  account: EcpayInvoiceAccount,
  path: string,
  json: object,
): Promise<{ status: number; text: string }> {
  try {
    return await postAnswer(account.apiBase.replace(/\/$/, '') + path, { json }, 'environment');
  } catch (error) {
    if (error instanceof OutboundFailure) throw new ProviderUnsure(error.message, { cause: error });
    throw error;
  }
}

function decrypted(data: string, keys: AesKeys): Answer {
  try {
    const answer = answerIn(decryptData(data, keys));
    if (answer !== undefined) return answer;
  } catch (error) {
    throw new ProviderUnsure('ECPay’s answer is not encrypted with our keys', { cause: error });
  }
  throw new ProviderUnsure('ECPay’s answer is no object');
}

function judged(answer: Answer): Answer {
  const code = textOf(answer, 'RtnCode');
  if (code === '1') return answer;
  const message = textOf(answer, 'RtnMsg') || 'no reason given';
  if (code === '') throw new ProviderUnsure('ECPay’s answer has no code');
  if (unsureCodes.has(code) || unsureWords.test(message)) throw new ProviderUnsure(`${code} ${message}`);
  throw new EcpayRefusal(code, message);
}

/**
 * Returns the response of a call, or null if ECPay says that it does not exist. Throws like {@link
 * ecpayCall}.
 */
export async function ecpayFound(
  account: EcpayInvoiceAccount,
  path: string,
  data: Readonly<Record<string, JsonValue>>,
): Promise<Answer | null> {
  try {
    return await ecpayCall(account, path, data);
  } catch (error) {
    if (error instanceof EcpayRefusal && error.is(words.absent)) return null;
    throw error;
  }
}

/** Sends a query: an error says nothing about the queried object. Throws {@link ProviderUnsure}. */
export async function ecpayAsked(
  account: EcpayInvoiceAccount,
  path: string,
  data: Readonly<Record<string, JsonValue>>,
): Promise<Answer | null> {
  try {
    return await ecpayFound(account, path, data);
  } catch (error) {
    if (error instanceof ProviderRefused)
      throw new ProviderUnsure(`ECPay did not answer the question: ${error.code} ${error.message}`, {
        cause: error,
      });
    throw error;
  }
}

/** Voids something; already voided counts as success. Throws like {@link ecpayCall}. */
export async function ecpayVoided(
  account: EcpayInvoiceAccount,
  path: string,
  data: Readonly<Record<string, JsonValue>>,
): Promise<void> {
  try {
    await ecpayCall(account, path, data);
  } catch (error) {
    if (!(error instanceof EcpayRefusal && error.is(words.voidedAlready))) throw error;
  }
}
