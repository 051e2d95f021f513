// A simulated ezPay e-invoice service: decrypts, validates as its manual says, stores what was issued, and
// responds with its codes and messages. Written from the manual EZP_INVI 1.2.x, independent of our code. Key
// and vector are those of the manual's example.
import { createDecipheriv, createHash } from 'node:crypto';
import type { StartedInvoices } from './ecpay.ts';
import { FakeService, type Reply } from './fake-service.ts';

export const ezpayInvoiceAccount = {
  merchantId: '3622183',
  hashKey: 'abcdefghijklmnopqrstuvwxyzabcdef',
  hashIv: '1234567891234567',
};

type Fields = Readonly<Record<string, string>>;
export type EzpayFakeInvoice = {
  order: string;
  number: string;
  random: string;
  /** `2026-11-26 14:30:06` */
  created: string;
  total: number;
  left: number;
  isVoided: boolean;
  /** 0 未上傳, 1 已上傳, 2 上傳中, 3 上傳失敗 */
  upload: '0' | '1' | '2' | '3';
  fields: Fields;
};
export type EzpayFakeAllowance = { number: string; invoice: string; total: number; isVoided: boolean };

class Refusal extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
const refuse = (code: string, message: string): never => {
  throw new Refusal(code, message);
};

function decrypted(text: string): Fields {
  const { hashKey, hashIv } = ezpayInvoiceAccount;
  const decipher = createDecipheriv('aes-256-cbc', hashKey, hashIv).setAutoPadding(false);
  const padded = Buffer.concat([decipher.update(text, 'hex'), decipher.final()]);
  const padding = padded.at(-1) ?? 0;
  if (padded.length % 32 !== 0 || padding < 1 || padding > 32) throw new Error('the padding is wrong');
  return Object.fromEntries(new URLSearchParams(padded.subarray(0, -padding).toString('utf8')));
}

const whole = (fields: Fields, name: string): number =>
  /^-?\d+$/.test(fields[name] ?? '') ? Number(fields[name]) : refuse('INV10012', '發票金額、課稅別驗證錯誤');
const parts = (fields: Fields, name: string): string[] => (fields[name] ?? '').split('|');
const sum = (amounts: readonly string[]): number =>
  amounts.reduce((total, amount) => total + Number(amount), 0);

/** Validates the amounts of an invoice form: items include the tax for consumers, not for companies. */
function assertAmounts(fields: Fields): void {
  const [net, tax, total] = [whole(fields, 'Amt'), whole(fields, 'TaxAmt'), whole(fields, 'TotalAmt')];
  const columns = ['ItemName', 'ItemCount', 'ItemUnit', 'ItemPrice', 'ItemAmt'].map((name) =>
    parts(fields, name),
  );
  const lines = columns[0]?.length ?? 0;
  if (columns.some((column) => column.length !== lines || column.includes('')))
    refuse('INV10003', '商品資訊格式錯誤或缺少資料');
  const [names = [], counts = [], units = [], prices = [], amounts = []] = columns;
  if (names.some((name) => [...name].length > 30) || units.some((unit) => Buffer.byteLength(unit) > 6))
    refuse('INV10003', '商品資訊格式錯誤或缺少資料');
  if (amounts.some((amount, index) => Number(counts[index]) * Number(prices[index]) !== Number(amount)))
    refuse('INV10004', '商品資訊的商品小計計算錯誤');
  if (net + tax !== total || sum(amounts) !== (fields['Category'] === 'B2B' ? net : total))
    refuse('INV10012', '發票金額、課稅別驗證錯誤');
}

export class FakeEzpayInvoices extends FakeService<{
  invoices: EzpayFakeInvoice[];
  allowances: EzpayFakeAllowance[];
}> {
  readonly invoices = new Map<string, EzpayFakeInvoice>();
  readonly allowances = new Map<string, EzpayFakeAllowance>();

  state(): { invoices: EzpayFakeInvoice[]; allowances: EzpayFakeAllowance[] } {
    return { invoices: [...this.invoices.values()], allowances: [...this.allowances.values()] };
  }

  protected busy(): string {
    return JSON.stringify({ Status: 'NOR10001', Message: '網路連線異常', Result: '' });
  }

  protected refused(): string {
    return JSON.stringify({ Status: 'KEY10004', Message: '資料不齊全', Result: '' });
  }

  protected reply(path: string, body: string): Reply {
    const form = Object.fromEntries(new URLSearchParams(body));
    const failed = (code: string, message: string): Reply => {
      const text = JSON.stringify({ Status: code, Message: message, Result: '' });
      return { text, spoiled: () => text };
    };
    if (form['MerchantID_'] !== ezpayInvoiceAccount.merchantId)
      return failed('KEY10006', '商店未申請啟用電子發票');
    let fields: Fields;
    try {
      fields = decrypted(form['PostData_'] ?? '');
    } catch {
      return failed('KEY10002', '資料解密錯誤');
    }
    try {
      return this.#answer(this.#done(path, fields));
    } catch (error) {
      if (error instanceof Refusal) return failed(error.code, error.message);
      throw error;
    }
  }

  #answer(result: Fields): Reply {
    const all = { MerchantID: ezpayInvoiceAccount.merchantId, ...result };
    const written = (fields: Fields): string =>
      JSON.stringify({ Status: 'SUCCESS', Message: '成功', Result: JSON.stringify(fields) });
    const sealed = (fields: Fields): string => written({ ...fields, CheckCode: checkCodeOf(fields) });
    return {
      text: sealed(all),
      spoiled: (lie) => {
        if (lie === 'wrong keys') return written({ ...all, CheckCode: checkCodeOf(all, 'f'.repeat(32)) });
        if (lie === 'another merchant') return sealed({ ...all, MerchantID: '3000000' });
        const [first] = this.invoices.values();
        const number = lie === 'no number' ? '' : (first?.number ?? '');
        const names = ['InvoiceNumber', 'AllowanceNo'].filter((name) => name in all);
        return sealed({ ...all, ...Object.fromEntries(names.map((name) => [name, number])) });
      },
    };
  }

  #done(path: string, fields: Fields): Fields {
    const versions: Fields = {
      '/Api/invoice_issue': '1.5',
      '/Api/invoice_search': '1.3',
      '/Api/invoice_invalid': '1.0',
      '/Api/allowance_issue': '1.3',
      '/Api/allowanceInvalid': '1.0',
    };
    if (fields['Version'] !== versions[path] || fields['RespondType'] !== 'JSON')
      refuse('KEY10004', '資料不齊全');
    if (!/^\d{10}$/.test(fields['TimeStamp'] ?? '')) refuse('KEY10014', 'TimeOut');
    switch (path) {
      case '/Api/invoice_issue':
        return this.#issue(fields);
      case '/Api/invoice_search':
        return this.#search(fields);
      case '/Api/invoice_invalid':
        return this.#void(fields);
      case '/Api/allowance_issue':
        return this.#allow(fields);
      case '/Api/allowanceInvalid':
        return this.#voidAllowance(fields);
      default:
        return refuse('KEY10004', '資料不齊全');
    }
  }

  #shown(invoice: EzpayFakeInvoice): Fields {
    return {
      InvoiceTransNo: invoice.number.slice(2).padStart(17, '2'),
      MerchantOrderNo: invoice.order,
      TotalAmt: String(invoice.total),
      InvoiceNumber: invoice.number,
      RandomNum: invoice.random,
      CreateTime: invoice.created,
    };
  }

  #issue(fields: Fields): Fields {
    const order = fields['MerchantOrderNo'] ?? '';
    if (!/^\w{1,20}$/.test(order)) refuse('INV10014', '自訂編號格式錯誤');
    if (this.invoices.has(order)) refuse('LIB10003', '商店自訂編號重覆');
    const isCompany = fields['Category'] === 'B2B';
    if (isCompany ? !/^\d{8}$/.test(fields['BuyerUBN'] ?? '') : fields['Category'] !== 'B2C')
      refuse('INV10002', '買受人資料格式錯誤或缺少資料');
    if ((fields['BuyerName'] ?? '') === '') refuse('INV10002', '買受人資料格式錯誤或缺少資料');
    const hasKept = 'CarrierType' in fields || 'LoveCode' in fields;
    if (isCompany ? fields['PrintFlag'] !== 'Y' || hasKept : (fields['PrintFlag'] === 'Y') === hasKept)
      refuse('INV10013', '電子發票欄位資料不齊全或格式錯誤');
    assertAmounts(fields);
    const place = this.invoices.size;
    const invoice: EzpayFakeInvoice = {
      order,
      number: `YY${10_000_101 + place}`,
      random: String(place % 2 === 0 ? 142 + place : 1420 + place).padStart(4, '0'),
      created: '2026-11-26 14:30:06',
      total: whole(fields, 'TotalAmt'),
      left: whole(fields, 'TotalAmt'),
      isVoided: false,
      upload: '0',
      fields,
    };
    this.invoices.set(order, invoice);
    return this.#shown(invoice);
  }

  #search(fields: Fields): Fields {
    const invoice = this.invoices.get(fields['MerchantOrderNo'] ?? '');
    if (fields['SearchType'] !== '1' || invoice?.total !== whole(fields, 'TotalAmt'))
      return refuse('INV20006', '查無發票資料');
    return {
      ...this.#shown(invoice),
      InvoiceStatus: invoice.isVoided ? '2' : '1',
      UploadStatus: invoice.upload,
    };
  }

  #numbered(number: string | undefined): EzpayFakeInvoice {
    return (
      [...this.invoices.values()].find((each) => each.number === number) ?? refuse('INV20006', '查無發票資料')
    );
  }

  #void(fields: Fields): Fields {
    const invoice = this.#numbered(fields['InvoiceNumber']);
    const reason = fields['InvalidReason'] ?? '';
    if (reason === '' || Buffer.byteLength(reason) > 20)
      refuse('INV10013', '電子發票欄位資料不齊全或格式錯誤');
    if (invoice.isVoided) refuse('LIB10005', '發票已作廢過');
    if ([...this.allowances.values()].some((each) => each.invoice === invoice.number && !each.isVoided))
      refuse('LIB10007', '無法作廢');
    invoice.isVoided = true;
    return { InvoiceNumber: invoice.number, CreateTime: invoice.created };
  }

  #allow(fields: Fields): Fields {
    const invoice = this.#numbered(fields['InvoiceNo']);
    if (invoice.order !== fields['MerchantOrderNo']) refuse('INV10014', '自訂編號格式錯誤');
    const total = whole(fields, 'TotalAmt');
    if (sum(parts(fields, 'ItemAmt')) + sum(parts(fields, 'ItemTaxAmt')) !== total)
      refuse('INV10012', '發票金額、課稅別驗證錯誤');
    if (invoice.isVoided || total > invoice.left) refuse('LIB10009', '查無發票資料');
    invoice.left -= total;
    const number = `A${String(14_061_700_000_001 + this.allowances.size)}`;
    this.allowances.set(number, { number, invoice: invoice.number, total, isVoided: false });
    return {
      AllowanceNo: number,
      InvoiceNumber: invoice.number,
      MerchantOrderNo: invoice.order,
      AllowanceAmt: String(total),
      RemainAmt: String(invoice.left),
    };
  }

  #voidAllowance(fields: Fields): Fields {
    const allowance = this.allowances.get(fields['AllowanceNo'] ?? '') ?? refuse('INV20006', '查無折讓資料');
    if (allowance.isVoided) refuse('LIB10008', '折讓單已作廢');
    allowance.isVoided = true;
    this.#numbered(allowance.invoice).left += allowance.total;
    return { AllowanceNo: allowance.number, CreateTime: '2026-11-27 10:00:00' };
  }
}

/** Appendix 二: five fields in alphabetical order between the secrets, SHA-256 in upper case. */
function checkCodeOf(result: Fields, hashKey: string = ezpayInvoiceAccount.hashKey): string {
  const names = ['InvoiceTransNo', 'MerchantID', 'MerchantOrderNo', 'RandomNum', 'TotalAmt'];
  const text = names.map((name) => `${name}=${result[name] ?? ''}`).join('&');
  return createHash('sha256')
    .update(`HashIV=${ezpayInvoiceAccount.hashIv}&${text}&HashKey=${hashKey}`)
    .digest('hex')
    .toUpperCase();
}

/** Starts the simulated ezPay e-invoice service on a free local port; `issued` is its content. */
export async function startEzpayInvoices(): Promise<StartedInvoices<FakeEzpayInvoices>> {
  const fake = await new FakeEzpayInvoices().start();
  return { url: fake.address, issued: fake, lie: (lie, on) => fake.lie(lie, on), close: () => fake.stop() };
}
