// A simulated ECPay e-invoice service: decrypts, validates as its documentation says, stores what was issued,
// and responds with its codes and messages. Written from the documentation, independent of our code.
import { decrypted, encrypted, refuse, Refusal, type Data } from '../ecpay-envelope.ts';
import { FakeService, type Lie, type Reply } from './fake-service.ts';

export const ecpayInvoiceAccount = {
  merchantId: '2000132',
  hashKey: 'ejCk326UnaZWKisg',
  hashIv: 'q9jcZX8Ib9LM8wYk',
};

export type FakeInvoice = {
  service: 'B2C' | 'B2B';
  relate: string;
  number: string;
  random: string;
  /** `2026-11-26 14:30:05` */
  date: string;
  total: number;
  /** The amount not covered by allowances yet: including tax for B2C, excluding tax for B2B. */
  left: number;
  isVoided: boolean;
  upload: '0' | '1' | '2';
  turnkey: '' | 'C' | 'E' | 'G';
  data: Data;
};
export type FakeAllowance = {
  number: string;
  invoice: string;
  net: number;
  tax: number;
  isVoided: boolean;
};

const otherKeys = { hashKey: 'aaaaaaaaaaaaaaaa', hashIv: 'bbbbbbbbbbbbbbbb' };

const text = (data: Data, name: string): string => {
  const value = data[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
};
const amount = (data: Data, name: string): number => Number(data[name] ?? 0);
const list = (data: Data, name: string): Data[] => (data[name] as Data[] | undefined) ?? [];
const sum = (items: Data[], name: string): number =>
  items.reduce((total, item) => total + Math.round(amount(item, name) * 1e7), 0) / 1e7;

export class FakeEcpayInvoices extends FakeService<{
  invoices: FakeInvoice[];
  allowances: FakeAllowance[];
}> {
  readonly invoices = new Map<string, FakeInvoice>();
  readonly allowances = new Map<string, FakeAllowance>();
  /** Companies that B2B invoices may be issued to. */
  readonly customers = new Set<string>();

  state(): { invoices: FakeInvoice[]; allowances: FakeAllowance[] } {
    return { invoices: [...this.invoices.values()], allowances: [...this.allowances.values()] };
  }

  protected busy(): string {
    return this.#sealed({ RtnCode: 9999999, RtnMsg: '系統異常，請稍後再試' }, ecpayInvoiceAccount);
  }

  protected refused(): string {
    return this.#sealed({ RtnCode: 1_000_003, RtnMsg: '查無特店資料' }, ecpayInvoiceAccount);
  }

  #sealed(
    answer: Data,
    keys: { hashKey: string; hashIv: string },
    merchantId = ecpayInvoiceAccount.merchantId,
  ): string {
    return JSON.stringify({
      PlatformID: '',
      MerchantID: merchantId,
      RpHeader: { Timestamp: 1_795_000_000 },
      TransCode: 1,
      TransMsg: 'Success',
      Data: encrypted(answer, keys),
    });
  }

  protected reply(path: string, body: string): Reply {
    const envelope = JSON.parse(body) as Data;
    const header = (envelope['RqHeader'] ?? {}) as Data;
    const failed = (code: number, message: string): Reply => {
      const reply = JSON.stringify({
        MerchantID: envelope['MerchantID'],
        TransCode: code,
        TransMsg: message,
      });
      return { text: reply, spoiled: () => reply };
    };
    const isB2b = path.startsWith('/B2BInvoice/');
    if (!Number.isInteger(header['Timestamp']))
      return failed(104, 'Timestamp is over 10 minutes than it just produced.');
    if (header['Revision'] !== (isB2b ? '1.0.0' : '3.0.0')) return failed(105, 'Revision is wrong.');
    if (isB2b && !/^[\da-f-]{36}$/.test(text(header, 'RqID'))) return failed(106, 'RqID is wrong.');
    if (envelope['MerchantID'] !== ecpayInvoiceAccount.merchantId)
      return failed(115, 'B2C/B2B功能尚未開通，請聯繫所屬業務');
    let data: Data;
    try {
      data = decrypted(text(envelope, 'Data'), ecpayInvoiceAccount);
    } catch {
      return failed(110, 'The parameter [Data] decrypt fail.');
    }
    const answer = this.#answered(path, data);
    return {
      text: this.#sealed(answer, ecpayInvoiceAccount),
      spoiled: (lie) => {
        if (lie === 'wrong keys') return this.#sealed(answer, otherKeys);
        if (lie === 'another merchant') return this.#sealed(answer, ecpayInvoiceAccount, '3000000');
        const [first] = this.invoices.values();
        const names = ['InvoiceNo', 'InvoiceNumber', 'IA_Allow_No', 'AllowanceNo'].filter(
          (name) => name in answer,
        );
        const number = lie === 'no number' ? '' : (first?.number ?? '');
        return this.#sealed(
          { ...answer, ...Object.fromEntries(names.map((name) => [name, number])) },
          ecpayInvoiceAccount,
        );
      },
    };
  }

  #answered(path: string, data: Data): Data {
    try {
      if (data['MerchantID'] !== ecpayInvoiceAccount.merchantId) refuse(2000001, '特店編號不存在');
      return { RtnCode: 1, RtnMsg: '成功', ...this.#done(path, data) };
    } catch (error) {
      if (error instanceof Refusal) return { RtnCode: error.code, RtnMsg: error.message };
      throw error;
    }
  }

  #done(path: string, data: Data): Data {
    switch (path) {
      case '/B2CInvoice/Issue':
        return this.#issueB2c(data);
      case '/B2CInvoice/GetIssue':
        return this.#shownB2c(this.#found(data, 'InvoiceNo', 'B2C'));
      case '/B2CInvoice/Invalid':
        return this.#void(data, 'InvoiceNo', 'B2C');
      case '/B2CInvoice/Allowance':
        return this.#allowB2c(data);
      case '/B2CInvoice/GetAllowanceList':
        return this.#listB2c(data);
      case '/B2CInvoice/AllowanceInvalid':
      case '/B2BInvoice/CancelAllowance':
        return this.#voidAllowance(data);
      case '/B2BInvoice/MaintainMerchantCustomerData':
        if (
          !/^\d{8}$/.test(text(data, 'Identifier')) ||
          text(data, 'EmailAddress') === '' ||
          text(data, 'TradingSlang') === ''
        )
          refuse(6000001, '參數錯誤');
        this.customers.add(text(data, 'Identifier'));
        return {};
      case '/B2BInvoice/Issue':
        return this.#issueB2b(data);
      case '/B2BInvoice/GetIssue':
        return { RtnData: JSON.stringify(this.#shownB2b(this.#found(data, 'InvoiceNumber', 'B2B'))) };
      case '/B2BInvoice/Invalid':
        return this.#void(data, 'InvoiceNumber', 'B2B');
      case '/B2BInvoice/Allowance':
        return this.#allowB2b(data);
      case '/B2BInvoice/GetAllowance': {
        const allowance =
          this.allowances.get(text(data, 'AllowanceNo')) ?? refuse(2000039, '查無折讓單資料，請確認!');
        return { RtnData: { AllowanceNo: allowance.number, Invalid_Status: allowance.isVoided ? '1' : '0' } };
      }
      default:
        return refuse(404, `no such path: ${path}`);
    }
  }

  #issue(service: 'B2C' | 'B2B', data: Data, total: number, left: number, date: string): FakeInvoice {
    const place = this.invoices.size;
    const invoice: FakeInvoice = {
      service,
      relate: text(data, 'RelateNumber'),
      number: `JU${11_080_001 + place}`,
      // Every other one begins with a zero, which a number would lose.
      random: String(place % 2 === 0 ? 427 + place : 4270 + place).padStart(4, '0'),
      date,
      total,
      left,
      isVoided: false,
      upload: '0',
      turnkey: '',
      data,
    };
    this.invoices.set(invoice.relate.toLowerCase(), invoice);
    return invoice;
  }

  #assertRelate(data: Data): void {
    const relate = text(data, 'RelateNumber');
    if (!/^[\dA-Za-z]{1,50}$/.test(relate)) refuse(5000001, '自訂編號格式錯誤');
    if (this.invoices.has(relate.toLowerCase())) refuse(5070357, 'B2C開立發票 自訂編號重覆，請重新設定');
  }

  #assertItems(data: Data): Data[] {
    const items = list(data, 'Items');
    if (items.length === 0 || items.length > 999) refuse(5000020, '商品資訊錯誤');
    for (const item of items) {
      const { length } = text(item, 'ItemName');
      if (length === 0 || length > 500 || text(item, 'ItemWord').length > 6) refuse(5000021, '商品資訊錯誤');
      if (Math.abs(amount(item, 'ItemCount') * amount(item, 'ItemPrice') - amount(item, 'ItemAmount')) > 1)
        refuse(5000022, '驗證發票金額發現錯誤，與商品合計金額不符');
    }
    return items;
  }

  #issueB2c(data: Data): Data {
    this.#assertRelate(data);
    const [company, carrier, print] = [
      text(data, 'CustomerIdentifier'),
      text(data, 'CarrierType'),
      text(data, 'Print'),
    ];
    if (text(data, 'CustomerEmail') === '' && text(data, 'CustomerPhone') === '')
      refuse(5000010, '客戶手機號碼與電子信箱不可同時為空');
    if (print === '1' && (text(data, 'CustomerName') === '' || text(data, 'CustomerAddr') === ''))
      refuse(5000012, '列印時客戶名稱與地址不可為空');
    if (company === '' && carrier !== '' && print === '1') refuse(5000015, '有載具時不可列印');
    if (company !== '' && carrier === '' && print === '0') refuse(5000028, '有統一編號且不列印時須有載具');
    if (company !== '' && !/^\d{8}$/.test(company)) refuse(5000013, '統一編號格式錯誤');
    if (text(data, 'Donation') === '1' && !/^\d{3,7}$/.test(text(data, 'LoveCode')))
      refuse(2020001, '捐贈碼為3~7碼純數字');
    if (carrier === '3' && !/^\/[\dA-Z.+-]{7}$/.test(text(data, 'CarrierNum')))
      refuse(5000016, '手機條碼格式錯誤');
    const taxType = text(data, 'TaxType');
    if (
      (taxType === '2' || taxType === '9') &&
      list(data, 'Items').some((item) => item['ItemTaxType'] === '2') &&
      text(data, 'ClearanceMark') === ''
    )
      refuse(5000007, '通關方式不可為空');
    const items = this.#assertItems(data);
    const total = amount(data, 'SalesAmount');
    if (Math.round(sum(items, 'ItemAmount')) !== total)
      refuse(5000022, '驗證發票金額發現錯誤，與商品合計金額不符');
    const invoice = this.#issue('B2C', data, total, total, '2026-11-26 14:30:06');
    return { InvoiceNo: invoice.number, InvoiceDate: invoice.date, RandomNumber: invoice.random };
  }

  #issueB2b(data: Data): Data {
    this.#assertRelate(data);
    const company = text(data, 'CustomerIdentifier');
    if (!this.customers.has(company)) refuse(6160004, '交易對象不存在，請先至交易對象維護新增');
    const items = this.#assertItems(data);
    const [sales, tax, total] = [
      amount(data, 'SalesAmount'),
      amount(data, 'TaxAmount'),
      amount(data, 'TotalAmount'),
    ];
    if (Math.round(sum(items, 'ItemAmount')) !== sales || sales + tax !== total)
      refuse(5000022, '驗證發票金額發現錯誤');
    const invoice = this.#issue('B2B', data, total, sales, text(data, 'InvoiceTime'));
    return { InvoiceNumber: invoice.number, RandomNumber: invoice.random };
  }

  #found(data: Data, name: string, service: 'B2C' | 'B2B'): FakeInvoice {
    const [relate, number] = [text(data, 'RelateNumber').toLowerCase(), text(data, name)];
    const invoice = [...this.invoices.values()].find(
      (each) =>
        each.service === service &&
        (number === ''
          ? each.relate.toLowerCase() === relate
          : each.number === number && each.date.startsWith(text(data, 'InvoiceDate'))),
    );
    return invoice ?? refuse(2, '查無發票資料，請重新確認');
  }

  #shownB2c(invoice: FakeInvoice): Data {
    return {
      IIS_Number: invoice.number,
      IIS_Relate_Number: invoice.relate,
      IIS_Create_Date: invoice.date,
      // Numbers where the documentation says texts, as in the responses of its test environment.
      IIS_Random_Number: Number(invoice.random),
      IIS_Sales_Amount: invoice.total,
      IIS_Remain_Allowance_Amt: invoice.left,
      IIS_Issue_Status: '1',
      IIS_Invalid_Status: invoice.isVoided ? '1' : '0',
      IIS_Upload_Status: invoice.upload,
      IIS_Turnkey_Status: invoice.turnkey,
    };
  }

  #shownB2b(invoice: FakeInvoice): Data {
    return {
      InvoiceNumber: invoice.number,
      InvoiceDate: invoice.date.slice(0, 10),
      RelateNumber: invoice.relate,
      RandomNumber: invoice.random,
      SalesAmount: amount(invoice.data, 'SalesAmount'),
      TotalAmount: invoice.total,
      BalanceAmount: invoice.left,
      Invalid_Status: invoice.isVoided ? '1' : '0',
      Upload_Status: invoice.upload,
    };
  }

  #void(data: Data, name: string, service: 'B2C' | 'B2B'): Data {
    if (text(data, 'Reason') === '' || text(data, 'Reason').length > 20) refuse(5070451, '作廢原因錯誤');
    let invoice: FakeInvoice;
    try {
      invoice = this.#found(data, name, service);
    } catch {
      return refuse(1600003, '無發票號碼資料');
    }
    if (invoice.isVoided) refuse(5070453, 'B2C作廢發票 該發票已被作廢過');
    if ([...this.allowances.values()].some((each) => each.invoice === invoice.number && !each.isVoided))
      refuse(5070450, '該發票已被折讓過，無法直接作廢發票');
    invoice.isVoided = true;
    return { [name]: invoice.number };
  }

  #allowance(invoice: FakeInvoice, net: number, tax: number, taken: number): FakeAllowance {
    if (invoice.isVoided) refuse(2000044, '發票已作廢');
    if (taken <= 0 || taken > invoice.left) refuse(2000020, '折讓金額超過可折讓金額');
    invoice.left -= taken;
    const allowance = {
      number: `26112714300${String(10_000 + this.allowances.size)}`,
      invoice: invoice.number,
      net,
      tax,
      isVoided: false,
    };
    this.allowances.set(allowance.number, allowance);
    return allowance;
  }

  #allowB2c(data: Data): Data {
    const invoice = this.#found(data, 'InvoiceNo', 'B2C');
    const total = amount(data, 'AllowanceAmount');
    if (Math.round(sum(this.#assertItems(data), 'ItemAmount')) !== total)
      refuse(2000021, '折讓金額與商品合計不符');
    const net = Math.round(total / 1.05);
    const allowance = this.#allowance(invoice, net, total - net, total);
    return {
      IA_Allow_No: allowance.number,
      IA_Invoice_No: invoice.number,
      IA_Date: '2026-11-27 10:00:00',
      IA_Remain_Allowance_Amt: invoice.left,
    };
  }

  #allowB2b(data: Data): Data {
    const [detail] = list(data, 'Details');
    if (!detail) return refuse(2000022, '折讓明細錯誤');
    const invoice = this.#found(
      { InvoiceNumber: detail['OriginalInvoiceNumber'], InvoiceDate: detail['OriginalInvoiceDate'] },
      'InvoiceNumber',
      'B2B',
    );
    const [net, tax] = [amount(data, 'TotalAmount'), amount(data, 'TaxAmount')];
    if (Math.round(sum(list(data, 'Details'), 'ItemAmount')) !== net)
      refuse(2000021, '折讓金額與商品合計不符');
    const original = list(invoice.data, 'Items').find(
      (item) => item['ItemSeq'] === detail['OriginalSequenceNumber'],
    );
    if (original?.['ItemName'] !== detail['ItemName']) refuse(2000023, '商品名稱與原發票不符');
    const { number } = this.#allowance(invoice, net, tax, net);
    return { AllowanceNo: number, AllowanceNumber: number };
  }

  #listB2c(data: Data): Data {
    const rows = [...this.allowances.values()].filter((each) =>
      text(data, 'SearchType') === '0'
        ? each.number === data['AllowanceNo']
        : each.invoice === data['InvoiceNo'],
    );
    if (rows.length === 0) refuse(2000039, '查無折讓單資料，請確認!');
    return {
      AllowanceInfo: rows.map((row) => ({
        IA_Allow_No: row.number,
        IA_Invoice_No: row.invoice,
        IA_Total_Amount: row.net,
        IA_Tax_Amount: row.tax,
        IA_Total_Tax_Amount: row.net + row.tax,
        IA_Invalid_Status: row.isVoided ? '1' : '0',
      })),
    };
  }

  #voidAllowance(data: Data): Data {
    const allowance =
      this.allowances.get(text(data, 'AllowanceNo')) ?? refuse(2000039, '查無折讓單資料，請確認!');
    if (allowance.isVoided) refuse(2000063, '該折讓單已作廢過，請確認');
    allowance.isVoided = true;
    const invoice = [...this.invoices.values()].find((each) => each.number === allowance.invoice);
    if (invoice) invoice.left += invoice.service === 'B2C' ? allowance.net + allowance.tax : allowance.net;
    return {};
  }
}

/** A simulated service as tests use it, in this process or another. */
export type StartedInvoices<Fake> = {
  readonly url: string;
  readonly issued: Fake;
  readonly lie: (lie: Lie, on?: string) => void;
  readonly close: () => Promise<void>;
};

/** Starts the simulated ECPay e-invoice service on a free local port; `issued` is its content. */
export async function startEcpayInvoices(): Promise<StartedInvoices<FakeEcpayInvoices>> {
  const fake = await new FakeEcpayInvoices().start();
  return { url: fake.address, issued: fake, lie: (lie, on) => fake.lie(lie, on), close: () => fake.stop() };
}
