// One call to ECPay's e-invoice service, and what its answer means: done, refused, or unknown.
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

/** A merchant's account at ECPay. `now` gives the time that each request must carry (ten minutes valid). */
export type EcpayInvoiceAccount = AesKeys & {
  readonly merchantId: string;
  readonly apiBase: string;
  /** Whether companies get invoices by the B2B service. */
  readonly hasB2b: boolean;
  readonly now: () => Date;
};

/** What `RtnMsg` is about; the codes are of many ranges, and the words are what ECPay keeps (seen on its test environment in 2026). */
export const words = {
  duplicate: /自訂編號.{0,6}重[複覆]|重[複覆].{0,6}自訂編號/,
  voidedAlready: /已(被)?作廢/,
  // Of invoices and allowances only: that ECPay does not find the merchant says nothing of them.
  absent: /查無.{0,4}(發票|折讓)|無發票.{0,4}資料|查無資料/,
  unknownCustomer: /交易對象/,
} as const;
/** Answers after which it may have been done: 財政部 or ECPay itself failed on the way, or took too long. */
const unsureCodes = new Set(['9000001', '10100058', '9999999']);
const unsureWords = /系統(錯誤|異常|忙碌)|稍後|逾時|財政部.{0,6}失敗/;

/** What was asked was refused, by a code that is not success; a refused envelope (wrong keys, an unknown merchant) is none. */
export class EcpayRefusal extends ProviderRefused {
  is(what: RegExp): boolean {
    return what.test(this.message);
  }
}

/**
 * Sends `data` to a path and returns what ECPay answers to success (RtnCode 1).
 * @throws ProviderRefused when ECPay says that it did not do it; ProviderUnsure when it did not say.
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
      // 「RqHeader」: B2C has revision 3.0.0; B2B has 1.0.0 and an id of the request.
      ...(isB2b ? { RqID: randomUUID(), Revision: '1.0.0' } : { Revision: '3.0.0' }),
    },
    Data: encryptData(jsonText({ MerchantID: account.merchantId, ...data }), account),
  });
  const envelope = answerIn(text);
  const transCode = envelope === undefined ? '' : textOf(envelope, 'TransCode');
  // ECPay refuses whole envelopes with status 500 and a code: an old timestamp (104), a wrong key (110), a service that is off (115).
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

/** What a call answers, or null where ECPay says that there is nothing such. Throws as {@link ecpayCall} does. */
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

/** Asks a question: that it is refused says nothing about what was asked for. Throws {@link ProviderUnsure}. */
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

/** Voids something; that it is voided already is what was wanted. Throws as {@link ecpayCall} does. */
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
