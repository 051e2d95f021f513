// The part of the simulated ECPay that stores cards (站內付 2.0): JSON in encrypted envelopes, rejected as its
// documentation says, and false responses that a test prepares. Written from the documentation, independent
// of our code.
import { decrypted, encrypted, refuse, Refusal, type Data, type Keys as AesKeys } from './ecpay-envelope.ts';

type Keys = AesKeys & { readonly merchantId: string };

export type BoundCard = {
  id: string;
  member: string;
  first6: string;
  last4: string;
  month: string;
  year: string;
};
export type BoundOrder = {
  number: string;
  tradeNo: string;
  custom: string;
  amount: number;
  card: string;
  /** As reported by 查詢訂單: unpaid or unknown yet, paid, failed. */
  status: '0' | '1' | '10200095';
  refunded: number;
};
type Entry = {
  token: string;
  number: string;
  member: string;
  custom: string;
  result: string;
  amount: number;
};
/**
 * What happens to the next charges. A code: the bank declines. `3d`: the bank requires the cardholder. `lost
 * before`, `lost after`: no response, before or after it took effect. `late`: no response, and paid later.
 * `says no`: paid, although the response is a decline.
 */
type ChargeLie = '' | '3d' | 'lost before' | 'lost after' | 'late' | `says no ${string}` | `${number}`;

/** The connection ends without a response. */
export const noAnswer = Symbol('no answer');

export class FakeEcpayCards {
  readonly cards = new Map<string, BoundCard>();
  readonly orders = new Map<string, BoundOrder>();
  readonly entries = new Map<string, Entry>();
  readonly calls: string[] = [];
  readonly charges: ChargeLie[] = [];
  /** The next cards that are entered are declined with this code, or need no page of the bank (`no 3d`). */
  readonly bindings: string[] = [];
  readonly #pages = new Map<string, { entry: Entry; card: BoundCard }>();
  readonly #tokens = new Map<string, string>();
  readonly #keys: Keys;
  readonly #address: () => string;
  now: () => Date = () => new Date();
  #count = 0;

  constructor(keys: Keys, address: () => string) {
    this.#keys = keys;
    this.#address = address;
  }

  cash(): number {
    return [...this.orders.values()].reduce(
      (sum, order) => sum + (order.status === '1' ? order.amount : 0) - order.refunded,
      0,
    );
  }
  chargesOf(custom: string): BoundOrder[] {
    return [...this.orders.values()].filter((each) => each.custom === custom);
  }
  #next = (): string => String((this.#count += 1)).padStart(8, '0');

  /** An envelope as ECPay posts it to ReturnURL, and in ResultData to OrderResultURL. */
  envelope(value: unknown, keys: AesKeys = this.#keys): string {
    return JSON.stringify({
      MerchantID: this.#keys.merchantId,
      RpHeader: { Timestamp: Math.floor(this.now().getTime() / 1000) },
      TransCode: 1,
      TransMsg: 'Success',
      Data: encrypted(value, keys),
    });
  }

  /** The customer enters a card on the page of an entry; returns what the script passes to the page. */
  type(token: string, card: Partial<BoundCard> = {}): string {
    const entry = this.entries.get(token);
    if (!entry) throw new Error('no such token');
    const payToken = `bindpay${this.#next()}`;
    this.#tokens.set(payToken, token);
    this.#typed.set(payToken, {
      id: `bindcard${this.#next()}`,
      member: entry.member,
      first6: '431195',
      last4: '2222',
      month: '12',
      year: '30',
      ...card,
    });
    return payToken;
  }
  readonly #typed = new Map<string, BoundCard>();

  /** The cardholder responds to the bank; returns what is then posted to ReturnURL and OrderResultURL. */
  confirm(url: string, isRight = true): Data {
    const page = this.#pages.get(new URL(url).searchParams.get('tk') ?? '');
    if (!page) throw new Error('no such page');
    if (!isRight)
      return {
        RtnCode: 10100248,
        RtnMsg: '拒絕交易',
        MerchantID: this.#keys.merchantId,
        MerchantMemberID: page.entry.member,
        OrderInfo: { MerchantTradeNo: page.entry.number },
        CustomField: page.entry.custom,
      };
    return this.#bind(page.entry, page.card);
  }

  #bind(entry: Entry, card: BoundCard): Data {
    this.cards.set(card.id, card);
    if (!this.orders.has(entry.number))
      this.orders.set(entry.number, {
        number: entry.number,
        tradeNo: `26${this.#next()}`,
        custom: entry.custom,
        amount: entry.amount,
        card: card.id,
        status: '1',
        refunded: 0,
      });
    return this.#answer({
      MerchantMemberID: entry.member,
      BindCardID: card.id,
      IsSameCard: false,
      OrderInfo: this.#order(this.orders.get(entry.number)!),
      CardInfo: this.#facts(card),
      CustomField: entry.custom,
    });
  }

  #answer(data: Data): Data {
    return { RtnCode: 1, RtnMsg: 'Success', MerchantID: this.#keys.merchantId, ...data };
  }
  #facts({ first6, last4, month, year }: BoundCard): Data {
    return { Card6No: first6, Card4No: last4, CardValidMM: month, CardValidYY: year };
  }
  #order(order: BoundOrder): Data {
    return {
      MerchantTradeNo: order.number,
      TradeNo: order.tradeNo,
      TradeAmt: order.amount,
      TradeDate: '2026/11/27 12:00:00',
      PaymentType: 'Credit',
      TradeStatus: order.status,
    };
  }
  /** What ECPay posts to ReturnURL about an order. */
  notice(order: BoundOrder): Data {
    return this.#answer({ OrderInfo: this.#order(order), CustomField: order.custom });
  }

  /** The script of the page: draws a form and passes what was entered to the page. */
  script(): string {
    return `window.ECPay = { Language: { zhTW: 'zh-TW', enUS: 'en-US' },
  initialize(type, loading, done) { done(null); },
  addBindingCard(token, language, done) {
    const place = document.getElementById('ECPayPayment');
    place.innerHTML = '<label>Card number <input id="fake-card" inputmode="numeric"></label>';
    window.fakeToken = token; done(null);
  },
  getBindCardPayToken(done) {
    fetch('${this.#address()}/fake/type?token=' + window.fakeToken + '&last4=' + document.getElementById('fake-card').value.slice(-4))
      .then((answer) => answer.text()).then((BindCardPayToken) => done({ BindCardPayToken }, null));
  } };`;
  }

  /** Handles one call; undefined for paths that do not concern cards. */
  act(path: string, body: string): string | typeof noAnswer | undefined {
    if (!path.startsWith('/Merchant/') && !path.startsWith('/1.0.0/')) return undefined;
    const envelope = JSON.parse(body) as { MerchantID: string; RqHeader: Data; Data: string };
    const failed = (code: number, message: string): string =>
      JSON.stringify({ MerchantID: envelope.MerchantID, RpHeader: {}, TransCode: code, TransMsg: message });

    const age = this.now().getTime() / 1000 - Number(envelope.RqHeader['Timestamp']);
    if (Object.keys(envelope.RqHeader).join() !== 'Timestamp') return failed(106, 'RqHeader error');
    if (!(Math.abs(age) <= 600)) return failed(104, 'Timestamp error');
    let data: Data;
    try {
      data = decrypted(envelope.Data, this.#keys);
    } catch {
      return failed(110, 'Decrypt failed');
    }
    if (data['MerchantID'] !== this.#keys.merchantId || envelope.MerchantID !== this.#keys.merchantId)
      return failed(101, 'Merchant error');
    this.calls.push(path);
    try {
      const answer = this.#call(path, data);
      return answer === noAnswer ? noAnswer : this.envelope(answer);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.envelope({
        RtnCode: error.code,
        RtnMsg: error.message,
        MerchantID: this.#keys.merchantId,
      });
    }
  }

  #call(path: string, data: Data): Data | typeof noAnswer {
    const text = (of: unknown, name: string): string => {
      const value = (of as Data | undefined)?.[name];
      return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    };
    const order = data['OrderInfo'];
    const number = text(order, 'MerchantTradeNo') || text(data, 'MerchantTradeNo');
    const member = text(data['ConsumerInfo'], 'MerchantMemberID') || text(data, 'MerchantMemberID');
    switch (path) {
      case '/Merchant/GetTokenbyBindingCard': {
        this.#checkOrder(order, number);
        if (!text(data['ConsumerInfo'], 'Email') && !text(data['ConsumerInfo'], 'Phone'))
          refuse(5000000, 'Email or Phone');
        const entry = {
          token: `tok${this.#next()}`,
          number,
          member,
          custom: text(data, 'CustomField'),
          result: text(data, 'OrderResultURL') || refuse(5000029, 'OrderResultURL'),
          amount: Number(text(order, 'TotalAmount')),
        };
        this.entries.set(entry.token, entry);
        return this.#answer({ Token: entry.token, TokenExpireDate: '2026/11/27 13:00:00' });
      }
      case '/Merchant/CreateBindCard': {
        const payToken = text(data, 'BindCardPayToken');
        const entry = this.entries.get(this.#tokens.get(payToken) ?? '');
        const card = this.#typed.get(payToken);
        this.#tokens.delete(payToken);
        if (!entry || !card || entry.member !== member) return refuse(10300001, 'BindCardPayToken error');
        const lie = this.bindings.shift() ?? '';
        if (/^\d+$/.test(lie)) refuse(Number(lie), '拒絕交易');
        if (lie === 'no 3d') return this.#bind(entry, card);
        const tk = `page${this.#next()}`;
        this.#pages.set(tk, { entry, card });
        return this.#answer({
          OrderInfo: { MerchantTradeNo: entry.number },
          ThreeDInfo: { ThreeDURL: `${this.#address()}/fake/bank?tk=${tk}` },
        });
      }
      case '/Merchant/CreatePaymentWithCardID':
        return this.#charge(data, number, member, Number(text(order, 'TotalAmount')));
      case '/Merchant/GetMemberBindCard': {
        const found = [...this.cards.values()].filter((each) => each.member === member);
        if (found.length === 0) refuse(10300050, '查無綁定信用卡');
        return this.#answer({
          MerchantMemberID: member,
          BindCardList: found.map((each) => ({ ...this.#facts(each), BindCardID: each.id })),
        });
      }
      case '/Merchant/DeleteMemberBindCard':
        if (!this.cards.delete(text(data, 'BindCardID'))) refuse(10300050, '查無綁定信用卡');
        return this.#answer({});
      case '/1.0.0/Cashier/QueryTrade': {
        const found = this.orders.get(number);
        return found ? this.#answer({ OrderInfo: this.#order(found) }) : refuse(10200047, '查無訂單');
      }
      case '/1.0.0/Credit/DoAction': {
        const found = this.orders.get(number);
        const amount = Number(text(data, 'TotalAmount'));
        const isWhole = found?.refunded === 0 && amount === found.amount;
        if (
          found?.tradeNo !== text(data, 'TradeNo') ||
          found.status !== '1' ||
          found.refunded + amount > found.amount ||
          // A card entry is charged and refunded on the same day; a real charge has been captured by the time
          // it is refunded.
          (text(data, 'Action') === 'N' && !(isWhole && found.custom.startsWith('cst_')))
        )
          return refuse(10100058, 'error_status');
        found.refunded += amount;
        return this.#answer({ MerchantTradeNo: number, TradeNo: found.tradeNo });
      }
      default:
        return refuse(404, 'no such call');
    }
  }

  #checkOrder(order: unknown, number: string): void {
    const found = order as Data;
    if (!/^[0-9a-zA-Z]{1,20}$/.test(number)) refuse(10200050, 'MerchantTradeNo error');
    if (this.orders.has(number)) refuse(10300028, '特店交易編號重複');
    if (!Number.isInteger(found['TotalAmount']) || Number(found['TotalAmount']) < 1)
      refuse(10200052, 'TotalAmount error');
    if (!/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d$/.test(String(found['MerchantTradeDate'])))
      refuse(10200051, 'MerchantTradeDate error');
    if (!found['ReturnURL'] || !found['TradeDesc'] || !found['ItemName']) refuse(10200053, 'missing');
  }

  #charge(data: Data, number: string, member: string, amount: number): Data | typeof noAnswer {
    this.#checkOrder(data['OrderInfo'], number);
    const card = this.cards.get(String(data['BindCardID']));
    if (!card) return refuse(10300051, 'BindCardID not found');
    if (card.member !== member) refuse(10300052, 'BindCardID belongs to another member');
    if (data['Need3D'] !== 0) refuse(10300053, 'Need3D');
    const lie = this.charges.shift() ?? '';
    if (lie === 'lost before') return noAnswer;
    if (lie === '3d')
      return this.#answer({
        OrderInfo: { MerchantTradeNo: number },
        ThreeDInfo: { ThreeDURL: `${this.#address()}/fake/bank?tk=none` },
      });
    const code = /\d{3,}/.exec(lie)?.[0];
    const made: BoundOrder = {
      number,
      tradeNo: `26${this.#next()}`,
      custom: String(data['CustomField']),
      amount,
      card: card.id,
      status: lie === 'late' ? '0' : code !== undefined && !lie.startsWith('says no') ? '10200095' : '1',
      refunded: 0,
    };
    this.orders.set(number, made);
    if (lie === 'lost after' || lie === 'late') return noAnswer;
    if (code !== undefined) return refuse(Number(code), '拒絕交易');
    return this.#answer({ OrderInfo: this.#order(made), CustomField: made.custom });
  }
}
