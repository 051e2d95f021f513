// One call to ECPay's 站內付 2.0, and the meaning of its response. Two hosts: cards and charges at `ecpg`,
// queries and refunds at `ecpayment`.
import type { EcpayConfig } from '#platform/server/config.ts';
import { OutboundFailure, postAnswer } from '#platform/server/outbound/outbound.ts';
import { decryptData, encryptData, jsonText, type JsonValue } from './aes-json.ts';
import { answerIn, isAnswer, textOf, type Answer } from './answers.ts';
import { ProviderUnsure } from './provider.ts';

/** ECPay recommends at least 30 seconds for calls that involve a bank (developers.ecpay.com.tw/?p=35596). */
const bankMs = 35_000;
const questionMs = 15_000;

/**
 * Returns the hosts of 站內付 2.0 that belong to a checkout host; an address other than ECPay's own stands for
 * all of them.
 */
export function cardHosts(apiBase: string): { cards: string; orders: string; isTrial: boolean } {
  const own = /^payment(-stage)?\.ecpay\.com\.tw$/.exec(new URL(apiBase).hostname);
  const base = apiBase.replace(/\/$/, '');
  if (!own) return { cards: base, orders: base, isTrial: false };
  const suffix = own[1] ?? '';
  return {
    cards: `https://ecpg${suffix}.ecpay.com.tw`,
    orders: `https://ecpayment${suffix}.ecpay.com.tw`,
    isTrial: suffix !== '',
  };
}

/**
 * Sends `data` and returns ECPay's response, whatever its RtnCode. An envelope that ECPay rejected (a wrong
 * key, an old timestamp) says nothing about the request. Throws {@link ProviderUnsure}.
 */
export async function cardCall(
  config: EcpayConfig,
  path: string,
  data: Readonly<Record<string, JsonValue>>,
  now: Date,
): Promise<Answer> {
  const { cards, orders } = cardHosts(config.apiBase);
  const isCards = path.startsWith('/Merchant/');
  let text: string;
  try {
    ({ text } = await postAnswer(
      (isCards ? cards : orders) + path,
      {
        json: {
          MerchantID: config.merchantId,
          RqHeader: { Timestamp: Math.floor(now.getTime() / 1000) },
          Data: encryptData(jsonText({ MerchantID: config.merchantId, ...data }), config),
        },
        longestMs: isCards ? bankMs : questionMs,
      },
      'environment',
    ));
  } catch (error) {
    if (error instanceof OutboundFailure) throw new ProviderUnsure(error.message, { cause: error });
    throw error;
  }
  const envelope = answerIn(text);
  if (envelope === undefined) throw new ProviderUnsure('ECPay answered something else');
  if (textOf(envelope, 'TransCode') !== '1')
    throw new ProviderUnsure(`${textOf(envelope, 'TransCode')} ${textOf(envelope, 'TransMsg')}`.trim());
  const answer = openedData(config, envelope);
  if (answer === undefined) throw new ProviderUnsure('ECPay’s answer is not encrypted with our keys');
  return answer;
}

/**
 * Opens an envelope that was encrypted with our keys for our merchant; undefined for any other, whatever is
 * wrong with it.
 */
export function openedData(config: EcpayConfig, envelope: Answer): Answer | undefined {
  try {
    const answer = answerIn(decryptData(textOf(envelope, 'Data'), config));
    const merchant = answer && (textOf(answer, 'MerchantID') || textOf(envelope, 'MerchantID'));
    return merchant === config.merchantId ? answer : undefined;
  } catch {
    // The same result for every error: which bytes were wrong must not be disclosed.
    return undefined;
  }
}

/** Returns an object within a response; empty if it is missing. */
export const partOf = (answer: Answer, name: string): Answer => {
  const part = answer[name];
  return isAnswer(part) ? part : {};
};

/** A response's code and message, for the log and for Admins. */
export const answerText = (answer: Answer): string =>
  `${textOf(answer, 'RtnCode')} ${textOf(answer, 'RtnMsg')}`.trim();
