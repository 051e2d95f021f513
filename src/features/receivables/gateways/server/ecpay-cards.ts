// Saved cards at ECPay (綁定信用卡 of 站內付 2.0): ECPay's script takes the number on our page, the bank
// authenticates the holder, and bills are charged by the card's id. Pages of developers.ecpay.com.tw:
// ?p=51907 (steps), 51476, 51667, 51675, 51744, 51776, 51753, 51785, 45927.
import { isId, type Id } from '#kernel/ids.ts';
import { money, moneyText, type Money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { hourMs } from '#kernel/durations.ts';
import type { EcpayConfig } from '#platform/server/config.ts';
import type { RawInput } from '#platform/server/unit-of-work/feature.ts';
import { gatewaysErrors } from '../contract.ts';
import { answerIn, isAnswer, textOf, type Answer } from './answers.ts';
import { cardCall, cardHosts, openedData, partOf, answerText } from './ecpay-card-call.ts';
import { orderNumber, payerNumber, taipeiTime, withoutSigns } from './ecpay-order.ts';
import {
  ProviderRefused,
  ProviderUnsure,
  type CardEntry,
  type CardEvent,
  type CardFacts,
  type CardNotice,
  type CardProvider,
  type CardScript,
  type ChargeIntent,
  type OpenSetup,
  type Payer,
  type PaymentNotice,
} from './provider.ts';

/** An abandoned entry is over after this time; a later result still counts. */
const entryMs = 2 * hourMs;
/** How long ECPay reports 未付款 for an order without the bank's response (?p=2890: at most 40 minutes). */
const bankAnswersMs = 60 * 60_000;
/** Binding a card creates an order of this amount, which is released. */
const verification = money(1n, 'TWD');
/** Card declines by the issuing bank (developers.ecpay.com.tw, 交易狀態代碼): nothing was charged. */
const isBankDecline = (code: string): boolean => /^1010024[89]$|^1010025\d$/.test(code);
const pendingCode = '10300066';
const taiwan = '158';

/** The libraries that must be loaded before ECPay's script, in the versions of its own example. */
const libraries: readonly CardScript[] = [
  {
    url: 'https://cdn.jsdelivr.net/npm/jquery@3.5.1/dist/jquery.min.js',
    integrity: 'sha384-ZvpUoO/+PpLXR1lu4jmpXWu80pZlYUAfxl5NsBMWOEPSjUn/6Z/hRTt8+pR6L4N2',
  },
  {
    url: 'https://cdn.jsdelivr.net/npm/node-forge@0.7.0/dist/forge.min.js',
    integrity: 'sha384-sgzMi6V7PVuBrH3D+OTG6gR4GjgQCsSSUYFcGoGCNr5ks7Sr3WrS+zNv5H33fTY5',
  },
];

/**
 * Returns the scripts of the page for entering a card; a service other than ECPay's own brings everything it
 * needs.
 */
export function cardScripts(config: EcpayConfig): readonly CardScript[] {
  const { cards } = cardHosts(config.apiBase);
  const own = { url: `${cards}/Scripts/sdk-1.0.0.js?t=20210121100116`, integrity: null };
  return new URL(cards).hostname.endsWith('.ecpay.com.tw') ? [...libraries, own] : [own];
}

/** Implements saved cards with ECPay. */
export const ecpayCards = (config: EcpayConfig): CardProvider => ({
  // An order number is accepted only once, so a repeat never charges twice.
  recognizesMs: 20 * hourMs,
  createCustomer: async (organizationId) => payerNumber(config, organizationId),
  beginSetup: async ({ setupId, customer, payer, createdAt, addresses }, now) => {
    const reference = orderNumber(setupId);
    const answer = await cardCall(
      config,
      '/Merchant/GetTokenbyBindingCard',
      {
        PlatformID: '',
        ConsumerInfo: consumer(customer, payer),
        OrderInfo: orderOf(reference, verification, createdAt, 'Card verification', addresses.webhook),
        OrderResultURL: addresses.result,
        CustomField: setupId,
      },
      now,
    );
    const entryToken = textOf(answer, 'Token');
    if (textOf(answer, 'RtnCode') !== '1' || entryToken === '') throw new ProviderRefused(answerText(answer));
    return { url: addresses.entry, fields: null, reference, entryToken };
  },
  entry: entryOf(config),
  querySetup: async (setup, now) => {
    const fresh = (await listed(config, setup.customer, setup.reference, now)).filter(
      ({ reference }) => !setup.known.includes(reference),
    );
    const [only] = fresh;
    // Two unknown cards cannot be told apart.
    if (only && fresh.length === 1) return savedNotice(setup, only, now);
    return now.getTime() - setup.createdAt.getTime() > entryMs ? 'absent' : 'open';
  },
  charge: (intent, now) => charge(config, intent, now),
  findCharge: (intent, now) => findCharge(config, intent, now),
  detach: async (card, now) => {
    const answer = await cardCall(
      config,
      '/Merchant/DeleteMemberBindCard',
      { PlatformID: '', BindCardID: card },
      now,
    );
    if (textOf(answer, 'RtnCode') !== '1') throw new ProviderRefused(answerText(answer));
  },
  list: (customer, setup, now) => listed(config, customer, setup, now),
  release: (order, now) => release(config, order, now),
});

const consumer = (customer: string, { name, email }: Payer) => ({
  MerchantMemberID: customer,
  Email: email,
  Phone: '',
  Name: withoutSigns(name).slice(0, 50),
  CountryCode: taiwan,
  Address: '',
});

const orderOf = (number: string, amount: Money, createdAt: Date, words: string, webhook: string) => ({
  MerchantTradeDate: taipeiTime(createdAt),
  MerchantTradeNo: number,
  TotalAmount: Number(moneyText(amount)),
  TradeDesc: withoutSigns(words).slice(0, 100),
  ItemName: withoutSigns(words).slice(0, 100),
  ReturnURL: webhook,
});

const entryOf = (config: EcpayConfig): CardEntry => ({
  scripts: cardScripts(config),
  isTrial: cardHosts(config.apiBase).isTrial,
  finish: async (setup, payToken, now) => {
    const answer = await cardCall(
      config,
      '/Merchant/CreateBindCard',
      { PlatformID: '', BindCardPayToken: payToken, MerchantMemberID: setup.customer },
      now,
    );
    const page = textOf(partOf(answer, 'ThreeDInfo'), 'ThreeDURL');
    if (page !== '') return { url: safePage(config, page) };
    if (textOf(answer, 'RtnCode') !== '1') throw new ProviderRefused(answerText(answer));
    return proven(config, setup, textOf(answer, 'BindCardID'), now);
  },
  readResult: async (raw, now) => {
    const envelope = answerIn(new URLSearchParams(raw.bytes.toString('utf8')).get('ResultData') ?? '');
    return bound(config, signed(config, envelope), now);
  },
});

/** The customer enters a code on the bank's page, so it must use HTTPS or be on the configured host. */
function safePage(config: EcpayConfig, page: string): string {
  const url = URL.parse(page);
  if (url?.protocol !== 'https:' && url?.origin !== new URL(cardHosts(config.apiBase).cards).origin)
    throw new ProviderUnsure('ECPay named a bank’s page that is no safe address');
  return page;
}

/**
 * Returns the contents of a notice from ECPay. Throws the same error for everything invalid, so that an
 * attacker learns nothing.
 */
function signed(config: EcpayConfig, envelope: Answer | undefined): Answer {
  const answer = envelope && openedData(config, envelope);
  if (!answer) throw domainError(gatewaysErrors, 'gateways.signature_wrong');
  return answer;
}

/**
 * Reads what ECPay posts to ReturnURL about an entered card or a charge. The envelope is encrypted but not
 * signed, so it is only a hint: what ECPay responds to a query is applied. Undefined if there is nothing to
 * apply.
 */
export async function readCardNotice(
  config: EcpayConfig,
  raw: RawInput,
  now: Date,
): Promise<CardEvent | { eventId: string; notice: PaymentNotice } | undefined> {
  const answer = signed(config, answerIn(raw.bytes.toString('utf8')));
  const paymentId = textOf(answer, 'CustomField');
  if (!isId('pay', paymentId)) return bound(config, answer, now);
  const notice = await asked(() => orderNotice(config, paymentId, undefined, now));
  return notice === 'absent' || notice.outcome !== 'succeeded'
    ? undefined
    : { eventId: `card:${orderNumber(paymentId)}:${notice.reference ?? ''}`, notice };
}

/** A query while handling a notice: without a response, ECPay sends the notice again. */
async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderUnsure) throw domainError(gatewaysErrors, 'gateways.no_answer');
    throw error;
  }
}

/** Returns the card of a notice; undefined if it was declined or is not one of ours. */
async function bound(config: EcpayConfig, answer: Answer, now: Date): Promise<CardEvent | undefined> {
  const setupId = textOf(answer, 'CustomField');
  const card = textOf(answer, 'BindCardID');
  const reference = textOf(partOf(answer, 'OrderInfo'), 'MerchantTradeNo');
  if (textOf(answer, 'RtnCode') !== '1' || card === '' || !isId('cst', setupId)) return undefined;
  if (reference !== orderNumber(setupId)) throw domainError(gatewaysErrors, 'gateways.signature_wrong');
  const customer = textOf(answer, 'MerchantMemberID');
  return asked(() => proven(config, { setupId, reference, customer }, card, now));
}

/** Returns a card that ECPay lists for its member. Throws {@link ProviderUnsure} if it does not. */
async function proven(
  config: EcpayConfig,
  setup: Pick<OpenSetup, 'setupId' | 'reference' | 'customer'>,
  card: string,
  now: Date,
): Promise<CardEvent> {
  const found = (await listed(config, setup.customer, setup.reference, now)).find(
    ({ reference }) => reference === card,
  );
  if (!found) throw new ProviderUnsure('ECPay does not list the card that was entered');
  return { eventId: `bind:${setup.reference}:${card}`, notice: savedNotice(setup, found, now) };
}

const savedNotice = (
  { setupId, reference, customer }: { setupId: Id<'cst'>; reference: string; customer: string },
  card: ListedCard,
  now: Date,
): CardNotice => ({
  about: 'card',
  outcome: 'saved',
  setupId,
  reference: card.reference,
  customer,
  facts: card.facts,
  verifiedBy: reference,
  sentAt: now.toISOString(),
});

type ListedCard = { readonly reference: string; readonly facts: CardFacts };

/**
 * Returns the cards that one of our members has at ECPay. A refused query means that there are none. Throws
 * {@link ProviderUnsure}.
 */
async function listed(
  config: EcpayConfig,
  customer: string,
  setup: string,
  now: Date,
): Promise<readonly ListedCard[]> {
  const answer = await cardCall(
    config,
    '/Merchant/GetMemberBindCard',
    { PlatformID: '', MerchantMemberID: customer, MerchantTradeNo: setup },
    now,
  );
  if (textOf(answer, 'RtnCode') !== '1') return [];
  // ECPay's documentation does not name the list's field; each of its rows has a BindCardID.
  const rows = Object.values(answer).flatMap((value): unknown[] => (Array.isArray(value) ? value : []));
  return rows.filter(isAnswer).flatMap((row) => {
    const facts = factsOf(row);
    const reference = textOf(row, 'BindCardID');
    return reference !== '' && facts ? [{ reference, facts }] : [];
  });
}

function factsOf(row: Answer): CardFacts | undefined {
  const [last4, month, year] = [
    textOf(row, 'Card4No').padStart(4, '0'),
    Number(textOf(row, 'CardValidMM')),
    Number(textOf(row, 'CardValidYY')),
  ];
  if (!/^\d{4}$/.test(last4) || !(month >= 1 && month <= 12) || !(year > 0 && year < 100)) return undefined;
  // The first six and last four digits do not identify a number: two cards may share them.
  return {
    brand: brandOf(textOf(row, 'Card6No')),
    last4,
    expMonth: month,
    expYear: 2000 + year,
    fingerprint: null,
  };
}

/** The network of a card's first six digits (ISO/IEC 7812), named as for other providers' cards. */
export function brandOf(first6: string): string {
  const four = Number(first6.slice(0, 4));
  if (first6.startsWith('4')) return 'visa';
  if (/^5[1-5]/.test(first6) || (four >= 2221 && four <= 2720)) return 'mastercard';
  if (four >= 3528 && four <= 3589) return 'jcb';
  if (/^3[47]/.test(first6)) return 'amex';
  if (first6.startsWith('62')) return 'unionpay';
  return 'card';
}

async function charge(config: EcpayConfig, intent: ChargeIntent, now: Date): Promise<PaymentNotice> {
  const { paymentId, amount } = intent;
  if (amount.currency !== 'TWD') throw new ProviderRefused('ECPay takes Taiwan dollars only');
  const answer = await cardCall(
    config,
    '/Merchant/CreatePaymentWithCardID',
    {
      PlatformID: '',
      BindCardID: intent.card,
      OrderInfo: orderOf(
        orderNumber(paymentId),
        amount,
        intent.createdAt,
        intent.description,
        intent.webhook,
      ),
      ConsumerInfo: consumer(intent.customer, intent.payer),
      // The holder is not present for the bank's authentication.
      Need3D: 0,
      CustomField: paymentId,
    },
    now,
  );
  if (textOf(partOf(answer, 'ThreeDInfo'), 'ThreeDURL') !== '')
    return failed(paymentId, 'authentication_required');
  const code = textOf(answer, 'RtnCode');
  if (code === '1') return paidNotice(paymentId, partOf(answer, 'OrderInfo'));
  if (code === '' || code === pendingCode) throw new ProviderUnsure(answerText(answer));
  if (isBankDecline(code)) return failed(paymentId, code);
  // The other codes include those of an order that was sent before, which may have been paid.
  const found = await findCharge(config, intent, now);
  if (found === 'absent') throw new ProviderRefused(answerText(answer));
  return found;
}

const failed = (paymentId: Id<'pay'>, declineCode: string): PaymentNotice => ({
  about: 'payment',
  paymentId,
  outcome: 'failed',
  amount: null,
  reference: null,
  declineCode,
});

/** Returns the notice of a paid order. Throws {@link ProviderUnsure} if its fields do not say so. */
function paidNotice(paymentId: Id<'pay'>, order: Answer): PaymentNotice {
  const [reference, amount] = [textOf(order, 'TradeNo'), textOf(order, 'TradeAmt')];
  if (textOf(order, 'MerchantTradeNo') !== orderNumber(paymentId) || !/^\d{1,12}$/.test(amount) || !reference)
    throw new ProviderUnsure('ECPay’s answer says neither paid nor declined');
  return {
    about: 'payment',
    paymentId,
    outcome: 'succeeded',
    amount: money(BigInt(amount), 'TWD'),
    reference,
  };
}

const findCharge = (
  config: EcpayConfig,
  { paymentId, createdAt }: ChargeIntent,
  now: Date,
): Promise<'absent' | PaymentNotice> => orderNotice(config, paymentId, createdAt, now);

/** Returns the state of an order at ECPay (查詢訂單). Without `createdAt`, an unpaid one is never too old. */
async function orderNotice(
  config: EcpayConfig,
  paymentId: Id<'pay'>,
  createdAt: Date | undefined,
  now: Date,
): Promise<'absent' | PaymentNotice> {
  const answer = await queried(config, orderNumber(paymentId), now);
  if (answer === 'absent') return 'absent';
  const order = partOf(answer, 'OrderInfo');
  const state = textOf(order, 'TradeStatus');
  if (state === '1') return paidNotice(paymentId, order);
  if (state === '10200095') return failed(paymentId, state);
  if (state !== '0') throw new ProviderUnsure(`the order stands at ${state || answerText(answer)}`);
  return createdAt !== undefined && now.getTime() - createdAt.getTime() > bankAnswersMs
    ? failed(paymentId, 'issuer_not_available')
    : { about: 'payment', paymentId, outcome: 'processing', amount: null, reference: null };
}

async function queried(config: EcpayConfig, number: string, now: Date): Promise<'absent' | Answer> {
  const answer = await cardCall(
    config,
    '/1.0.0/Cashier/QueryTrade',
    { PlatformID: '', MerchantTradeNo: number },
    now,
  );
  const code = textOf(answer, 'RtnCode');
  if (code === '1') return answer;
  if (code === '10200047' || code === '10000185' || /查無/.test(textOf(answer, 'RtnMsg'))) return 'absent';
  throw new ProviderUnsure(answerText(answer));
}

/**
 * Refunds, or ends an authorization; returns why ECPay refused it, undefined if it was done. Throws {@link
 * ProviderUnsure}.
 */
export async function cardAction(
  config: EcpayConfig,
  order: { readonly number: string; readonly reference: string },
  action: string,
  amount: Money,
  now: Date,
): Promise<string | undefined> {
  const answer = await cardCall(
    config,
    '/1.0.0/Credit/DoAction',
    {
      PlatformID: '',
      MerchantTradeNo: order.number,
      TradeNo: order.reference,
      Action: action,
      TotalAmount: Number(moneyText(amount)),
    },
    now,
  );
  if (textOf(answer, 'RtnCode') === '') throw new ProviderUnsure('ECPay gave no answer to a refund');
  return textOf(answer, 'RtnCode') === '1' ? undefined : answerText(answer);
}

/**
 * Releases the amount that verified a card: cancels the authorization, or refunds it once it was captured.
 */
async function release(config: EcpayConfig, number: string, now: Date): Promise<void> {
  // ECPay's test environment moves no money and lacks this call (?p=9242).
  if (cardHosts(config.apiBase).isTrial) return;
  const answer = await queried(config, number, now);
  const order = answer === 'absent' ? {} : partOf(answer, 'OrderInfo');
  if (textOf(order, 'TradeStatus') !== '1' || !/^[1-9]\d{0,5}$/.test(textOf(order, 'TradeAmt'))) return;
  const amount = money(BigInt(textOf(order, 'TradeAmt')), 'TWD');
  let reason: string | undefined;
  for (const action of ['N', 'R']) {
    reason = await cardAction(config, { number, reference: textOf(order, 'TradeNo') }, action, amount, now);
    if (reason === undefined) return;
  }
  throw new ProviderRefused(reason ?? '');
}
