// ECPay's B2C service, which also accepts invoices to companies (CustomerIdentifier). Source of fields and
// rules: ECPay, 「B2C電子發票介接技術文件」 (developers.ecpay.com.tw/7896 and related pages), as reproduced in ECPay's
// own repository ECPay-API-Skill 3.1 (April 2026); field names of query responses as observed in its test
// environment in 2026 (paid-tw/einvoice, MIT).
import { decimal, roundToInteger, sumDecimals } from '#kernel/decimal.ts';
import { taipeiDate } from '../../rules-codes.ts';
import { failureWords } from '../../rules-words.ts';
import {
  ProviderUnsure,
  type AllowanceToSend,
  type InvoiceToSend,
  type IssuedAllowance,
  type IssuedInvoice,
  type UploadState,
} from '../provider.ts';
import { ExactNumber, type JsonValue } from '#features/receivables/gateways/server/index.ts';
import { isAmount, isAnswer, textOf, type Answer } from './answers.ts';
import {
  ecpayAsked,
  ecpayCall,
  EcpayRefusal,
  ecpayVoided,
  words,
  type EcpayInvoiceAccount,
} from './ecpay-call.ts';
import { allowanceIn, existing, issuedOf, type EcpayService } from './ecpay-service.ts';
import { grossFactor, itemLine, one, wholeLine, type ItemLine } from './item-lines.ts';
import { orderNumber } from './order-number.ts';
import { boundedText, fieldRefused, requiredText } from './refusals.ts';
import { hasZeroRated, invoiceTaxType, taxTypes, zeroRating } from './tax-kinds.ts';

/** Creates the B2C service for a merchant's account. */
export function ecpayB2c(account: EcpayInvoiceAccount): EcpayService {
  return {
    issue: async (invoice) => {
      const data = issueData(invoice);
      try {
        return issuedOf(await ecpayCall(account, '/B2CInvoice/Issue', data), {
          number: 'InvoiceNo',
          randomCode: 'RandomNumber',
          issuedAt: 'InvoiceDate',
        });
      } catch (error) {
        if (!(error instanceof EcpayRefusal && error.is(words.duplicate))) throw error;
        return existing(await find(account, invoice), error);
      }
    },
    findInvoice: (invoice) => find(account, invoice),
    voidInvoice: (_invoice, issued, reason) =>
      ecpayVoided(account, '/B2CInvoice/Invalid', {
        InvoiceNo: issued.number,
        InvoiceDate: taipeiDate(issued.issuedAt),
        Reason: requiredText(reason, 'reason', 20),
      }),
    isVoided: async (invoice) => textOf(await shown(account, invoice), 'IIS_Invalid_Status') === '1',
    allow: async (allowance) => {
      const answer = await ecpayCall(account, '/B2CInvoice/Allowance', allowanceData(allowance));
      return allowanceIn(answer, 'IA_Allow_No');
    },
    findAllowance: (allowance) => findAllowance(account, allowance),
    voidAllowance: (allowance, issued, reason) =>
      ecpayVoided(account, '/B2CInvoice/AllowanceInvalid', {
        InvoiceNo: allowance.invoice.number,
        AllowanceNo: issued.number,
        Reason: requiredText(reason, 'reason', 20),
      }),
    isAllowanceVoided: async (_allowance, issued) => {
      const rows = await allowancesIn(account, { SearchType: '0', AllowanceNo: issued.number });
      const row = rows.find((each) => textOf(each, 'IA_Allow_No') === issued.number);
      if (row === undefined) throw new ProviderUnsure(`ECPay does not show the allowance ${issued.number}`);
      return textOf(row, 'IA_Invalid_Status') === '1';
    },
    invoiceState: async (invoice) => uploadState(await shown(account, invoice)),
  };
}

/**
 * 列印, 捐贈, 載具: the delivery of the invoice. A company's invoice that is not printed must be in a carrier
 * (5000028), which is ECPay's own.
 */
function deliveryData({ buyer, carrier, donationCode, isPrinted }: InvoiceToSend): Record<string, JsonValue> {
  const carrierTypes = { member: '1', citizen: '2', mobile: '3' } as const;
  const own = buyer.taxId !== '' && !isPrinted ? '1' : '';
  return {
    Print: isPrinted ? '1' : '0',
    Donation: donationCode === null ? '0' : '1',
    LoveCode: donationCode ?? '',
    CarrierType: carrier === null ? own : carrierTypes[carrier.kind],
    // A member's carrier at ECPay has no number: it is found by the e-mail address.
    CarrierNum: carrier === null || carrier.kind === 'member' ? '' : carrier.code,
  };
}

/** Items including tax, as `vat` 1 means; exact, because their sum must round to the total. */
function grossLines(invoice: InvoiceToSend): ItemLine[] {
  if (invoice.items.length > 999) throw fieldRefused('long', 'items', 'there are more than 999');
  const isNet = invoice.buyer.taxId !== '';
  const lines = invoice.items.map((item) =>
    itemLine(item, isNet ? grossFactor(item, invoice.taxRate) : one, 500),
  );
  const sum = roundToInteger(sumDecimals(lines.map(({ amount }) => decimal(amount))));
  if (sum !== invoice.total)
    throw fieldRefused('wrong', 'total', `the items give ${sum}, not ${invoice.total}`);
  return lines;
}

const lineData = (line: ItemLine, index: number): Record<string, JsonValue> => ({
  ItemSeq: index + 1,
  ItemName: line.name,
  ItemCount: new ExactNumber(line.quantity),
  ItemWord: line.unit,
  ItemPrice: new ExactNumber(line.price),
  ItemAmount: new ExactNumber(line.amount),
});

function issueData(invoice: InvoiceToSend): Record<string, JsonValue> {
  const taxType = invoiceTaxType(invoice);
  const { buyer } = invoice;
  return {
    RelateNumber: orderNumber(invoice.invoiceId),
    CustomerIdentifier: buyer.taxId,
    CustomerName: requiredText(buyer.name, 'buyer.name', 60),
    CustomerAddr: invoice.isPrinted
      ? requiredText(buyer.address, 'buyer.address', 100)
      : boundedText(buyer.address, 'buyer.address', 100),
    CustomerEmail: requiredText(buyer.email, 'buyer.email', 80),
    ...deliveryData(invoice),
    TaxType: taxType,
    ...(hasZeroRated(invoice)
      ? { ClearanceMark: zeroRating.clearance, ZeroTaxRateReason: zeroRating.reason }
      : {}),
    ...(taxType === '3' ? { SpecialTaxType: 8 } : {}),
    SalesAmount: invoice.total,
    ...(buyer.taxId === '' ? {} : { TaxAmount: invoice.tax }),
    InvoiceRemark: boundedText(invoice.remark, 'remark', 200),
    Items: grossLines(invoice).map((line, index) => ({
      ...lineData(line, index),
      ItemTaxType: taxTypes[invoice.items[index]?.taxKind ?? 'taxable'],
    })),
    InvType: '07',
    vat: '1',
  };
}

/** Throws {@link ProviderUnsure} if ECPay cannot be queried, or shows something else under our id. */
async function find(account: EcpayInvoiceAccount, invoice: InvoiceToSend): Promise<IssuedInvoice | null> {
  const relate = orderNumber(invoice.invoiceId);
  const answer = await ecpayAsked(account, '/B2CInvoice/GetIssue', { RelateNumber: relate });
  if (answer === null) return null;
  if (textOf(answer, 'IIS_Relate_Number').toLowerCase() !== relate)
    throw new ProviderUnsure('ECPay shows the invoice of another id');
  if (!isAmount(answer, 'IIS_Sales_Amount', invoice.total))
    throw new ProviderUnsure(
      `ECPay shows an invoice of ${textOf(answer, 'IIS_Sales_Amount')} under our id, not of ${invoice.total}`,
    );
  return issuedOf(answer, {
    number: 'IIS_Number',
    randomCode: 'IIS_Random_Number',
    issuedAt: 'IIS_Create_Date',
  });
}

/** Returns the invoice as ECPay shows it. Throws {@link ProviderUnsure} if it shows none. */
async function shown(account: EcpayInvoiceAccount, invoice: InvoiceToSend): Promise<Answer> {
  const answer = await ecpayAsked(account, '/B2CInvoice/GetIssue', {
    RelateNumber: orderNumber(invoice.invoiceId),
  });
  if (answer === null) throw new ProviderUnsure('ECPay shows no invoice under our id');
  return answer;
}

/** IIS_Upload_Status (1 已上傳) and IIS_Turnkey_Status (發票上傳後接收狀態: C 成功, E 失敗, G 處理中). */
function uploadState(answer: Answer): UploadState {
  const turnkey = textOf(answer, 'IIS_Turnkey_Status');
  if (turnkey === 'E') return { state: 'failed', code: 'E', reason: failureWords.receipt };
  if (textOf(answer, 'IIS_Upload_Status') !== '1' || turnkey === 'G') return { state: 'uploading' };
  return { state: 'uploaded' };
}

/** AllowanceNotify N: the console notifies the buyer itself. Amounts include tax, each item as one whole. */
function allowanceData(allowance: AllowanceToSend): Record<string, JsonValue> {
  return {
    InvoiceNo: allowance.invoice.number,
    InvoiceDate: taipeiDate(allowance.invoice.issuedAt),
    AllowanceNotify: 'N',
    CustomerName: requiredText(allowance.buyer.name, 'buyer.name', 60),
    AllowanceAmount: allowance.net + allowance.tax,
    Items: allowance.items.map((item, index) => ({
      ...lineData(wholeLine(item.description, item.amount + item.tax, 500), index),
      ItemTaxType: taxTypes[item.taxKind],
    })),
  };
}

async function allowancesIn(
  account: EcpayInvoiceAccount,
  search: Readonly<Record<string, JsonValue>>,
): Promise<Answer[]> {
  const answer = await ecpayAsked(account, '/B2CInvoice/GetAllowanceList', search);
  const rows = answer?.['AllowanceInfo'] ?? [];
  if (!Array.isArray(rows)) throw new ProviderUnsure('ECPay shows no list of allowances');
  return rows.filter(isAnswer);
}

/**
 * ECPay does not know allowances by our id: ours is the one in force on the invoice that has our amount and
 * is not another known one.
 */
async function findAllowance(
  account: EcpayInvoiceAccount,
  allowance: AllowanceToSend,
): Promise<IssuedAllowance | null> {
  const rows = await allowancesIn(account, {
    SearchType: '1',
    InvoiceNo: allowance.invoice.number,
    Date: taipeiDate(allowance.invoice.issuedAt),
  });
  const known = new Set(allowance.others.map(({ number }) => number));
  const ours = rows.filter(
    (row) =>
      textOf(row, 'IA_Invalid_Status') !== '1' &&
      !known.has(textOf(row, 'IA_Allow_No')) &&
      isAmount(row, 'IA_Total_Tax_Amount', allowance.net + allowance.tax),
  );
  const [first, ...more] = ours;
  if (more.length > 0)
    throw new ProviderUnsure(`ECPay shows ${ours.length} allowances of this amount that we do not know`);
  return first === undefined ? null : allowanceIn(first, 'IA_Allow_No');
}
