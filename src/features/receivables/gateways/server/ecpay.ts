// ECPay behind our interface: a form that the customer's browser posts, check codes, order queries, card
// refunds. Cards, virtual accounts (ATM) and convenience stores (CVS), Taiwan dollars only.
import { isId, type Id } from '#kernel/ids.ts';
import { money, moneyText, type Money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { hourMs } from '#kernel/durations.ts';
import type { AmountRange, EcpayConfig } from '#platform/server/config.ts';
import type { RawInput } from '#platform/server/unit-of-work/feature.ts';
import { fetchForm, OutboundFailure } from '#platform/server/outbound/outbound.ts';
import { gatewaysErrors, isPaidLater, type ProviderName } from '../contract.ts';
import { checkMacValue, isCheckMacRight } from './check-mac.ts';
import { cardAction, ecpayCards, readCardNotice } from './ecpay-cards.ts';
import { orderNumber, payerNumber, taipeiTime, withoutSigns } from './ecpay-order.ts';
import {
  ProviderRefused,
  ProviderUnsure,
  type Checkout,
  type Intent,
  type Notice,
  type PaymentNotice,
  type Provider,
  type RefundAnswer,
  type RefundIntent,
} from './provider.ts';

type Fields = Readonly<Record<string, string>>;

/**
 * A payment method of ECPay. `extra`: the validity of its accounts and codes, seven days, in days for ATM and
 * in minutes for CVS (https://developers.ecpay.com.tw/?p=16495, ?p=16504).
 */
type Way = {
  readonly name: ProviderName & `ecpay${string}`;
  readonly choose: 'Credit' | 'ATM' | 'CVS';
  readonly extra: Fields;
};
const card: Way = { name: 'ecpay', choose: 'Credit', extra: {} };
const atm: Way = { name: 'ecpay_atm', choose: 'ATM', extra: { ExpireDate: '7' } };
const cvs: Way = { name: 'ecpay_cvs', choose: 'CVS', extra: { StoreExpireDate: String(7 * 24 * 60) } };

const openingBrace = '{'.charCodeAt(0);
/** How long after expiry a payment made at the last minute may be reported. */
const lateNoticeMs = 24 * hourMs;

/**
 * Creates ECPay's providers for an operator's merchant account: cards, and the methods that the merchant has
 * agreed on.
 */
export function ecpayProviders(config: EcpayConfig): Provider[] {
  return [
    ecpayProvider(config, card, undefined),
    ...(config.atm ? [ecpayProvider(config, atm, config.atm)] : []),
    ...(config.cvs ? [ecpayProvider(config, cvs, config.cvs)] : []),
  ];
}

function ecpayProvider(config: EcpayConfig, way: Way, range: AmountRange | undefined): Provider {
  return {
    // ECPay accepts an order number only once, so a returning customer gets a new order.
    name: way.name,
    takes: (currency) => currency === 'TWD',
    ...(range && { range: { min: money(range.min, 'TWD'), max: money(range.max, 'TWD') } }),
    reopens: false,
    openMinutes: 60,
    knowsRefunds: false,
    thanks: { mediaType: 'text/plain; charset=utf-8', body: '1|OK' },
    check: (now) => check(config, now),
    begin: async (intent) => begin(config, way, intent),
    ...(way === card && config.savesCards && { cards: ecpayCards(config) }),
    // 站內付 2.0 reports in JSON, checkouts with a form.
    read: async (raw, now) =>
      way === card && config.savesCards && raw.bytes[0] === openingBrace
        ? readCardNotice(config, raw, now)
        : readNotification(config, raw),
    queryPayment: async (intent, _reference, now) => queryPayment(config, way, intent, now),
    refund: (intent, now) => refund(config, intent, now),
    askRefund: async () => {
      throw new ProviderUnsure('ECPay does not say whether a refund happened; look at its console');
    },
  };
}

/**
 * Queries an order that does not exist: only with the right keys does ECPay sign its response, which says
 * that there is none (10200047).
 */
async function check(config: EcpayConfig, now: Date): Promise<{ isLive: boolean }> {
  const fields = await postSigned(config, '/Cashier/QueryTradeInfo/V5', {
    MerchantID: config.merchantId,
    MerchantTradeNo: '00000000000000000000',
    TimeStamp: String(Math.floor(now.getTime() / 1000)),
  });
  if (!isCheckMacRight(fields, config.hashKey, config.hashIv))
    throw new ProviderRefused(
      `the answer is not signed with these keys: ${fields['TradeStatus'] ?? 'nothing'} ${fields['RtnMsg'] ?? ''}`.trim(),
    );
  return { isLive: new URL(config.apiBase).hostname === 'payment.ecpay.com.tw' };
}

/** Does not call ECPay: the order is created when the customer's browser posts the form. */
function begin(config: EcpayConfig, way: Way, intent: Intent): Checkout {
  if (intent.amount.currency !== 'TWD') throw new ProviderRefused('ECPay takes Taiwan dollars only');
  const words = withoutSigns(intent.description).slice(0, 100);
  const fields = {
    MerchantID: config.merchantId,
    MerchantTradeNo: orderNumber(intent.paymentId),
    MerchantTradeDate: taipeiTime(intent.createdAt),
    PaymentType: 'aio',
    TotalAmount: moneyText(intent.amount),
    TradeDesc: words,
    ItemName: words,
    ReturnURL: intent.addresses.webhook,
    ClientBackURL: intent.addresses.success,
    ChoosePayment: way.choose,
    // Where ECPay reports the account or the code that the customer got.
    ...(isPaidLater(way.name) && { PaymentInfoURL: intent.addresses.webhook }),
    ...way.extra,
    ...(way === card && config.remembersCards && rememberedCard(config, intent)),
    EncryptType: '1',
    CustomField1: intent.paymentId,
    ...(intent.language === 'zhTW' ? {} : { Language: 'ENG' }),
  };
  return {
    url: at(config, '/Cashier/AioCheckOut/V5'),
    fields: { ...fields, CheckMacValue: checkMacValue(fields, config.hashKey, config.hashIv) },
    reference: fields.MerchantTradeNo,
  };
}

/**
 * Offers on ECPay's page to remember the card there, and lists remembered cards; each payer chooses. The id
 * is the merchant's followed by the payer's, at most 30 letters and digits.
 */
const rememberedCard = (config: EcpayConfig, { organizationId }: Intent): Fields => ({
  BindingCard: '1',
  MerchantMemberID: payerNumber(config, organizationId),
});

const at = (config: EcpayConfig, path: string): string => config.apiBase.replace(/\/$/, '') + path;

function readNotification(
  config: EcpayConfig,
  raw: RawInput,
): { eventId: string; notice: Notice } | undefined {
  const pairs = [...new URLSearchParams(raw.bytes.toString('utf8'))];
  const fields = Object.fromEntries(pairs);
  // A duplicate field could be signed with one of its values and read with the other.
  if (pairs.length !== Object.keys(fields).length || !isCheckMacRight(fields, config.hashKey, config.hashIv))
    throw domainError(gatewaysErrors, 'gateways.signature_wrong');
  // A payment simulated in ECPay's console brings no money.
  if (fields['SimulatePaid'] === '1') return undefined;
  const notice =
    instructedNotice(config, fields) ??
    paymentNotice(config, fields, fields['RtnCode'] === '1' ? 'succeeded' : 'failed');
  return {
    eventId: `${fields['MerchantTradeNo'] ?? ''}:${fields['TradeNo'] ?? ''}:${fields['RtnCode'] ?? ''}`,
    notice,
  };
}

/**
 * Returns the account or the code that a customer got; undefined if the fields say something else. 2: an
 * account was issued, 10100073: a code (https://developers.ecpay.com.tw/?p=2881).
 */
function instructedNotice(config: EcpayConfig, fields: Fields): PaymentNotice | undefined {
  if (fields['RtnCode'] !== '2' && fields['RtnCode'] !== '10100073') return undefined;
  const isAccount = fields['RtnCode'] === '2';
  const number = fields[isAccount ? 'vAccount' : 'PaymentNo'] ?? '';
  const bank = isAccount ? (fields['BankCode'] ?? '') : null;
  const expiresAt = taipeiMoment(fields['ExpireDate']);
  if (!/^[0-9A-Za-z]{5,20}$/.test(number) || (bank !== null && !/^\d{3}$/.test(bank)) || !expiresAt)
    throw domainError(gatewaysErrors, 'gateways.event_unreadable');
  return {
    about: 'payment',
    paymentId: paymentOf(config, fields),
    outcome: 'instructed',
    instructions: { bank, number, expiresAt },
    amount: null,
    reference: null,
  };
}

/** `yyyy/MM/dd`, the end of that day, or `yyyy/MM/dd HH:mm:ss`, both in Taiwan. */
function taipeiMoment(text: string | undefined): string | undefined {
  const [, day, time = '23:59:59'] = /^(\d{4}\/\d\d\/\d\d)(?: (\d\d:\d\d:\d\d))?$/.exec(text ?? '') ?? [];
  const moment = new Date(`${day?.replaceAll('/', '-')}T${time}+08:00`);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}

/** Checks that we are the payee, and that the order number belongs to our payment. */
function paymentOf(config: EcpayConfig, fields: Fields): Id<'pay'> {
  const paymentId = fields['CustomField1'];
  if (
    fields['MerchantID'] !== config.merchantId ||
    !isId('pay', paymentId) ||
    fields['MerchantTradeNo'] !== orderNumber(paymentId)
  )
    throw domainError(gatewaysErrors, 'gateways.event_unreadable');
  return paymentId;
}

function paymentNotice(config: EcpayConfig, fields: Fields, outcome: 'succeeded' | 'failed'): PaymentNotice {
  const paymentId = paymentOf(config, fields);
  if (outcome === 'failed') return { about: 'payment', paymentId, outcome, amount: null, reference: null };
  const reference = fields['TradeNo'];
  if (!reference) throw domainError(gatewaysErrors, 'gateways.event_unreadable');
  return { about: 'payment', paymentId, outcome, amount: amountOf(fields['TradeAmt']), reference };
}

function amountOf(text: string | undefined): Money {
  if (!/^\d{1,12}$/.test(text ?? '')) throw domainError(gatewaysErrors, 'gateways.event_unreadable');
  return money(BigInt(text ?? ''), 'TWD');
}

async function postSigned(config: EcpayConfig, path: string, fields: Fields): Promise<Fields> {
  try {
    return await fetchForm(at(config, path), {
      ...fields,
      CheckMacValue: checkMacValue(fields, config.hashKey, config.hashIv),
    });
  } catch (error) {
    if (error instanceof OutboundFailure) throw new ProviderUnsure(error.message, { cause: error });
    throw error;
  }
}

async function queryPayment(
  config: EcpayConfig,
  way: Way,
  intent: Intent,
  now: Date,
): Promise<'open' | 'absent' | PaymentNotice> {
  const fields = await postSigned(config, '/Cashier/QueryTradeInfo/V5', {
    MerchantID: config.merchantId,
    MerchantTradeNo: orderNumber(intent.paymentId),
    TimeStamp: String(Math.floor(now.getTime() / 1000)),
  });
  if (!isCheckMacRight(fields, config.hashKey, config.hashIv))
    throw new ProviderUnsure('the answer is not signed by ECPay');
  // 0: not paid yet. 1: paid. 10200095: failed. 10200047: no such order.
  switch (fields['TradeStatus']) {
    case '1':
      return paymentNotice(config, fields, 'succeeded');
    case '10200095':
      return paymentNotice(config, fields, 'failed');
    case '0':
      return (
        (isPaidLater(way.name) && !intent.hasInstructions
          ? await askInstructions(config, intent, now)
          : undefined) ?? (now.getTime() > lastMoment(intent) ? 'absent' : 'open')
      );
    case '10200047':
      // The browser may still be on its way to ECPay.
      return now.getTime() > intent.expiresAt.getTime() ? 'absent' : 'open';
    default:
      throw new ProviderUnsure(`the order stands at ${fields['TradeStatus'] ?? 'nothing'}`);
  }
}

const lastMoment = (intent: Intent): number =>
  intent.expiresAt.getTime() + (intent.hasInstructions ? lateNoticeMs : 0);

/**
 * Queries the account or the code of an order whose notice has not arrived; undefined if the customer has
 * none yet.
 */
async function askInstructions(
  config: EcpayConfig,
  intent: Intent,
  now: Date,
): Promise<PaymentNotice | undefined> {
  const fields = await postSigned(config, '/Cashier/QueryPaymentInfo', {
    MerchantID: config.merchantId,
    MerchantTradeNo: orderNumber(intent.paymentId),
    TimeStamp: String(Math.floor(now.getTime() / 1000)),
  });
  if (!isCheckMacRight(fields, config.hashKey, config.hashIv))
    throw new ProviderUnsure('the answer is not signed by ECPay');
  return instructedNotice(config, fields);
}

/**
 * A full amount is first canceled (possible until ECPay has captured it), otherwise refunded; a partial
 * amount can only be refunded.
 */
async function refund(config: EcpayConfig, intent: RefundIntent, now: Date): Promise<RefundAnswer> {
  let reason: string | undefined = '';
  for (const action of intent.isWhole ? ['N', 'R'] : ['R']) {
    reason = intent.isOffSession
      ? await cardAction(
          config,
          { number: orderNumber(intent.paymentId), reference: intent.paymentReference },
          action,
          intent.amount,
          now,
        )
      : await checkoutAction(config, intent, action);
    if (reason === undefined)
      return { outcome: 'succeeded', reference: `${intent.paymentReference}:${intent.refundId}`, reason: '' };
  }
  return { outcome: 'failed', reference: null, reason };
}

/** Returns why ECPay refused it, undefined if it was done. */
async function checkoutAction(
  config: EcpayConfig,
  intent: RefundIntent,
  action: string,
): Promise<string | undefined> {
  const answer = await postSigned(config, '/CreditDetail/DoAction', {
    MerchantID: config.merchantId,
    MerchantTradeNo: orderNumber(intent.paymentId),
    TradeNo: intent.paymentReference,
    Action: action,
    TotalAmount: moneyText(intent.amount),
  });
  if (answer['RtnCode'] === undefined) throw new ProviderUnsure('ECPay gave no answer to a refund');
  return answer['RtnCode'] === '1' ? undefined : `${answer['RtnCode']} ${answer['RtnMsg'] ?? ''}`.trim();
}
