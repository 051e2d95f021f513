// A simulated ECPay: accepts the form that a browser posts, answers queries and refunds, and signs its
// messages. Written from its documentation, independent of our code.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { FakeEcpayCards, noAnswer } from './ecpay-cards.ts';
import { StandIn } from './stand-in.ts';

type Fields = Record<string, string>;
type Order = {
  fields: Fields;
  tradeNo: string;
  status: '0' | '1' | '10200095';
  amount: number;
  refunded: number;
  /** The payment instructions that the customer got, as ECPay reports them. */
  info: Fields | undefined;
};
export const ecpayAccount = {
  merchantId: '3002607',
  hashKey: 'pwFHCqoQZGmho4w6',
  hashIv: 'EkRm7iFT261dpevs',
};

/** The check code, computed step by step as the documentation describes it. */
export function sign(fields: Fields): Fields {
  const { CheckMacValue: _old, ...rest } = fields;
  const line = Object.entries(rest)
    .sort(([a], [b]) => a.toLowerCase().localeCompare(b.toLowerCase(), 'en'))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const encoded = new URLSearchParams([
    ['', `HashKey=${ecpayAccount.hashKey}&${line}&HashIV=${ecpayAccount.hashIv}`],
  ])
    .toString()
    .slice(1)
    .toLowerCase()
    .replaceAll('%21', '!')
    .replaceAll('%28', '(')
    .replaceAll('%29', ')');
  return { ...rest, CheckMacValue: createHash('sha256').update(encoded).digest('hex').toUpperCase() };
}

export class FakeEcpay extends StandIn {
  readonly cards = new FakeEcpayCards(ecpayAccount, () => this.address);
  readonly orders = new Map<string, Order>();
  readonly actions: string[] = [];
  /** What happens to the next refund calls: lost before or after they take effect, or refused. */
  readonly mishaps: ('lost before' | 'lost after' | 'refused')[] = [];

  cash(): number {
    return [...this.orders.values()].reduce(
      (sum, order) => sum + (order.status === '1' ? order.amount : 0) - order.refunded,
      this.cards.cash(),
    );
  }

  /** Posts the form as the customer's browser does. Throws when ECPay would reject it. */
  post(fields: Fields): void {
    if (sign(fields)['CheckMacValue'] !== fields['CheckMacValue']) throw new Error('CheckMacValue Error');
    const number = fields['MerchantTradeNo'] ?? '';
    if (
      !/^[0-9a-zA-Z]{1,20}$/.test(number) ||
      this.orders.has(number) ||
      !/^\d+$/.test(fields['TotalAmount'] ?? '') ||
      !/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d$/.test(fields['MerchantTradeDate'] ?? '')
    )
      throw new Error('the order is not right');
    this.orders.set(number, {
      fields,
      tradeNo: `24${String(this.orders.size).padStart(14, '0')}`,
      status: '0',
      amount: Number(fields['TotalAmount']),
      refunded: 0,
      info: undefined,
    });
  }

  /** The customer chooses a bank, or takes a store's code; returns what ECPay then posts to PaymentInfoURL. */
  instruct(number: string, more: Fields = {}): Fields {
    const order = this.orders.get(number);
    if (!order?.fields['PaymentInfoURL']) throw new Error('no such order');
    order.info = {
      MerchantID: ecpayAccount.merchantId,
      MerchantTradeNo: number,
      StoreID: '',
      TradeNo: order.tradeNo,
      TradeAmt: String(order.amount),
      TradeDate: '2024/10/05 11:00:00',
      CustomField1: order.fields['CustomField1'] ?? '',
      CustomField2: '',
      CustomField3: '',
      CustomField4: '',
      ...(order.fields['ChoosePayment'] === 'ATM'
        ? {
            RtnCode: '2',
            RtnMsg: 'Get VirtualAccount Succeeded',
            PaymentType: 'ATM_LAND',
            BankCode: '005',
            vAccount: '9103522175887271',
            ExpireDate: '2024/10/12',
          }
        : {
            RtnCode: '10100073',
            RtnMsg: 'Get CVS Code Succeeded.',
            PaymentType: 'CVS_CVS',
            PaymentNo: 'LLL24112512345',
            ExpireDate: '2024/10/12 20:45:07',
            Barcode1: '',
            Barcode2: '',
            Barcode3: '',
          }),
      ...more,
    };
    return sign(order.info);
  }

  /** The customer pays (or is declined); returns what ECPay then posts to ReturnURL. */
  pay(number: string, more: Fields = {}): Fields {
    const order = this.orders.get(number);
    if (!order) throw new Error('no such order');
    if (more['RtnCode'] === undefined || more['RtnCode'] === '1') order.status = '1';
    else order.status = '10200095';
    if (more['TradeAmt'] !== undefined) order.amount = Number(more['TradeAmt']);
    return sign({
      ...this.#view(number, order),
      RtnCode: '1',
      RtnMsg: '交易成功',
      SimulatePaid: '0',
      ...more,
    });
  }

  #view(number: string, order: Order): Fields {
    return {
      MerchantID: ecpayAccount.merchantId,
      MerchantTradeNo: number,
      StoreID: '',
      TradeNo: order.tradeNo,
      TradeAmt: String(order.amount),
      PaymentDate: '2024/10/05 11:00:00',
      PaymentType: 'Credit_CreditCard',
      PaymentTypeChargeFee: '10',
      TradeDate: '2024/10/05 11:00:00',
      CustomField1: order.fields['CustomField1'] ?? '',
      CustomField2: '',
      CustomField3: '',
      CustomField4: '',
    };
  }

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (this.#serveCards(request, response, body)) return;
    const fields = Object.fromEntries(new URLSearchParams(body));
    const number = fields['MerchantTradeNo'] ?? '';
    const order = this.orders.get(number);
    const mishap = request.url === '/CreditDetail/DoAction' ? this.mishaps.shift() : undefined;
    if (mishap === 'lost before') return void request.socket.destroy();
    if (request.url === '/Cashier/AioCheckOut/V5') {
      this.post(fields);
      const page = `<!doctype html><title>ECPay</title><h1>ECPay</h1><a href="${(fields['ClientBackURL'] ?? '').replaceAll('&', '&amp;')}">Back to the shop</a>`;
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    }
    if (request.url === '/Cashier/QueryPaymentInfo') {
      const info = sign(
        order?.info ?? {
          MerchantID: ecpayAccount.merchantId,
          MerchantTradeNo: number,
          RtnCode: '10200047',
          RtnMsg: 'Cant not find the trade data.',
        },
      );
      return void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(new URLSearchParams(info).toString());
    }
    const answer =
      request.url === '/Cashier/QueryTradeInfo/V5'
        ? sign(
            order
              ? {
                  ...this.#view(number, order),
                  HandlingCharge: '5',
                  ItemName: order.fields['ItemName'] ?? '',
                  TradeStatus: order.status,
                }
              : { MerchantID: ecpayAccount.merchantId, MerchantTradeNo: number, TradeStatus: '10200047' },
          )
        : this.#act(fields, order, mishap === 'refused');
    if (mishap === 'lost after') return void request.socket.destroy();
    response.writeHead(200, { 'content-type': 'text/html' }).end(new URLSearchParams(answer).toString());
  }

  /** Card calls by the console and by a customer's browser. */
  #serveCards(request: IncomingMessage, response: ServerResponse, body: string): boolean {
    const url = new URL(request.url ?? '/', this.address);
    const answer = this.cards.act(url.pathname, body);
    if (answer === noAnswer) request.socket.destroy();
    else if (answer !== undefined)
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    else if (url.pathname === '/Scripts/sdk-1.0.0.js')
      response
        .writeHead(200, {
          'content-type': 'text/javascript',
          'cross-origin-resource-policy': 'cross-origin',
        })
        .end(this.cards.script());
    else if (url.pathname === '/fake/type')
      response.writeHead(200, { 'content-type': 'text/plain', 'access-control-allow-origin': '*' }).end(
        this.cards.type(url.searchParams.get('token') ?? '', {
          last4: url.searchParams.get('last4') ?? '',
        }),
      );
    else if (url.pathname === '/fake/bank') {
      // The bank's page: confirming posts the result to the console through the browser.
      const data = this.cards.confirm(url.href);
      const result = [...this.cards.entries.values()].find(
        (each) => each.custom === data['CustomField'],
      )?.result;
      const value = this.cards.envelope(data).replaceAll('"', '&quot;');
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<!doctype html><title>Bank</title><h1>The bank asks</h1><form method="post" action="${result ?? ''}"><input type="hidden" name="ResultData" value="${value}"><button>Confirm</button></form>`,
        );
    } else return false;
    return true;
  }

  /** Captured orders can be refunded, not cancelled. */
  #act(fields: Fields, order: Order | undefined, isRefused: boolean): Fields {
    const amount = Number(fields['TotalAmount']);
    this.actions.push(`${fields['Action']} ${amount}`);
    const isRight =
      sign(fields)['CheckMacValue'] === fields['CheckMacValue'] &&
      order?.tradeNo === fields['TradeNo'] &&
      fields['Action'] === 'R' &&
      order !== undefined &&
      order.refunded + amount <= order.amount &&
      !isRefused;
    if (isRight) order.refunded += amount;
    return {
      MerchantID: ecpayAccount.merchantId,
      MerchantTradeNo: fields['MerchantTradeNo'] ?? '',
      TradeNo: fields['TradeNo'] ?? '',
      RtnCode: isRight ? '1' : '10100058',
      RtnMsg: isRight ? 'OK' : 'error_status',
    };
  }
}
