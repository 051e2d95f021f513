// ECPay's B2B service in 存證模式: invoices are valid when issued, without confirmation. Source: ECPay,
// 「B2B電子發票API技術文件（存證模式）」 (developers.ecpay.com.tw/24230 and related pages) as reproduced in ECPay-API-Skill
// 3.1, the examples of ECPay's SDK_PHP, and for query responses the document i200 of the sister company
// O'Pay, which runs the same service.
import { taipeiDate, taipeiMoment } from '../../rules-codes.ts';
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
import {
  answerIn,
  isAmount,
  isAnswer,
  momentOf,
  numberOf,
  randomCodeOf,
  textOf,
  type Answer,
} from './answers.ts';
import {
  ecpayAsked,
  ecpayCall,
  EcpayRefusal,
  ecpayVoided,
  words,
  type EcpayInvoiceAccount,
} from './ecpay-call.ts';
import { allowanceIn, existing, type EcpayService } from './ecpay-service.ts';
import { itemLine, one } from './item-lines.ts';
import { orderNumber } from './order-number.ts';
import { boundedText, fieldRefused, requiredText } from './refusals.ts';
import { invoiceTaxType, zeroRating } from './tax-kinds.ts';

/** Creates the B2B service for a merchant's account. */
export function ecpayB2b(account: EcpayInvoiceAccount): EcpayService {
  return {
    issue: (invoice) => issue(account, invoice),
    findInvoice: (invoice) => find(account, invoice),
    voidInvoice: (_invoice, issued, reason) =>
      ecpayVoided(account, '/B2BInvoice/Invalid', {
        InvoiceNumber: issued.number,
        InvoiceDate: taipeiDate(issued.issuedAt),
        Reason: requiredText(reason, 'reason', 20),
      }),
    isVoided: async (_invoice, issued) => textOf(await shown(account, issued), 'Invalid_Status') === '1',
    allow: async (allowance) =>
      allowanceIn(await ecpayCall(account, '/B2BInvoice/Allowance', allowanceData(allowance)), 'AllowanceNo'),
    findAllowance: (allowance) => findAllowance(account, allowance),
    // SDK_PHP and i200 agree on this path; the newer guide also lists AllowanceInvalid for 存證模式.
    voidAllowance: (_allowance, issued, reason) =>
      ecpayVoided(account, '/B2BInvoice/CancelAllowance', {
        AllowanceNo: issued.number,
        Reason: requiredText(reason, 'reason', 20),
      }),
    isAllowanceVoided: async (_allowance, issued) => {
      const answer = await ecpayAsked(account, '/B2BInvoice/GetAllowance', { AllowanceNo: issued.number });
      if (answer === null) throw new ProviderUnsure(`ECPay does not show the allowance ${issued.number}`);
      return textOf(detailsIn(answer), 'Invalid_Status') === '1';
    },
    invoiceState: async (_invoice, issued) => uploadState(await shown(account, issued)),
  };
}

/** RtnData is an object, or one serialized as text. */
function detailsIn(answer: Answer): Answer {
  const value = answer['RtnData'];
  const details = typeof value === 'string' ? answerIn(value) : value;
  if (!isAnswer(details)) throw new ProviderUnsure('ECPay answered without RtnData');
  return details;
}

/** Issues an invoice; a company unknown to ECPay is registered first, which 「交易對象維護」 requires. */
async function issue(account: EcpayInvoiceAccount, invoice: InvoiceToSend): Promise<IssuedInvoice> {
  const data = issueData(invoice);
  const send = async (): Promise<IssuedInvoice> => {
    const answer = await ecpayCall(account, '/B2BInvoice/Issue', data);
    return {
      number: numberOf(answer, 'InvoiceNumber'),
      randomCode: randomCodeOf(answer, 'RandomNumber'),
      // The time that we sent; a response need not repeat it.
      issuedAt: invoice.issuedAt,
    };
  };
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof EcpayRefusal)) throw error;
    if (error.is(words.duplicate)) return existing(await find(account, invoice), error);
    if (!error.is(words.unknownCustomer)) throw error;
    await ecpayCall(account, '/B2BInvoice/MaintainMerchantCustomerData', customerData(invoice));
    return send();
  }
}

const customerData = ({ buyer }: InvoiceToSend): Record<string, JsonValue> => ({
  Action: 'Add',
  Identifier: buyer.taxId,
  // 1 買方; ExchangeMode 0 存證.
  type: '1',
  ExchangeMode: '0',
  CompanyName: requiredText(buyer.name, 'buyer.name', 60),
  Address: boundedText(buyer.address, 'buyer.address', 100),
  EmailAddress: requiredText(buyer.email, 'buyer.email', 80),
  // 交易暗語: a shared code word; not checked in 存證模式.
  TradingSlang: buyer.taxId,
});

function issueData(invoice: InvoiceToSend): Record<string, JsonValue> {
  const taxType = invoiceTaxType(invoice);
  if (taxType === '9') throw fieldRefused('wrong', 'items', 'ECPay B2B takes items of one kind of tax only');
  if (invoice.items.length > 999) throw fieldRefused('long', 'items', 'there are more than 999');
  const { year, month, day, time } = taipeiMoment(invoice.issuedAt);
  const { sales } = invoice;
  return {
    RelateNumber: orderNumber(invoice.invoiceId),
    InvoiceTime: `${year}-${month}-${day} ${time}`,
    CustomerIdentifier: invoice.buyer.taxId,
    CustomerEmail: requiredText(invoice.buyer.email, 'buyer.email', 200),
    CustomerAddress: boundedText(invoice.buyer.address, 'buyer.address', 100),
    ...(taxType === '2'
      ? { ClearanceMark: Number(zeroRating.clearance), ZeroTaxRateReason: zeroRating.reason }
      : {}),
    ...(taxType === '3' ? { SpecialTaxType: 8 } : {}),
    InvType: '07',
    TaxType: taxType,
    Items: invoice.items.map((item, index) => {
      const line = itemLine(item, one, 500);
      return {
        ItemSeq: index + 1,
        ItemName: line.name,
        ItemCount: new ExactNumber(line.quantity),
        ItemWord: line.unit,
        ItemPrice: new ExactNumber(line.price),
        ItemAmount: new ExactNumber(line.amount),
      };
    }),
    SalesAmount: sales.taxable + sales.zero_rated + sales.exempt,
    TaxAmount: invoice.tax,
    TotalAmount: invoice.total,
    InvoiceRemark: boundedText(invoice.remark, 'remark', 200),
  };
}

/**
 * Looks up an invoice by our id only, which i200 leaves undefined for this query: a response other than an
 * invoice or 查無 therefore proves nothing.
 */
async function find(account: EcpayInvoiceAccount, invoice: InvoiceToSend): Promise<IssuedInvoice | null> {
  const relate = orderNumber(invoice.invoiceId);
  const answer = await ecpayAsked(account, '/B2BInvoice/GetIssue', {
    InvoiceCategory: 0,
    InvoiceNumber: '',
    InvoiceDate: '',
    RelateNumber: relate,
  });
  if (answer === null) return null;
  const details = detailsIn(answer);
  if (textOf(details, 'RelateNumber').toLowerCase() !== relate)
    throw new ProviderUnsure('ECPay shows the invoice of another id');
  if (!isAmount(details, 'TotalAmount', invoice.total))
    throw new ProviderUnsure(
      `ECPay shows an invoice of ${textOf(details, 'TotalAmount')} under our id, not of ${invoice.total}`,
    );
  const date = momentOf(details, 'InvoiceDate');
  return {
    number: numberOf(details, 'InvoiceNumber'),
    randomCode: randomCodeOf(details, 'RandomNumber'),
    // InvoiceDate is a day; if it is the same day, our time is the one we sent.
    issuedAt: taipeiDate(date) === taipeiDate(invoice.issuedAt) ? invoice.issuedAt : date,
  };
}

/** Returns the invoice as ECPay shows it. Throws {@link ProviderUnsure} if it shows none. */
async function shown(account: EcpayInvoiceAccount, issued: IssuedInvoice): Promise<Answer> {
  const answer = await ecpayAsked(account, '/B2BInvoice/GetIssue', {
    InvoiceCategory: 0,
    InvoiceNumber: issued.number,
    InvoiceDate: taipeiDate(issued.issuedAt),
  });
  if (answer === null) throw new ProviderUnsure(`ECPay does not show the invoice ${issued.number}`);
  return detailsIn(answer);
}

/** Upload_Status: 0 未上傳, 1 已上傳, 2 上傳失敗. */
function uploadState(details: Answer): UploadState {
  switch (textOf(details, 'Upload_Status')) {
    case '1':
      return { state: 'uploaded' };
    case '2':
      return { state: 'failed', code: '2', reason: failureWords.upload };
    default:
      return { state: 'uploading' };
  }
}

function allowanceData(allowance: AllowanceToSend): Record<string, JsonValue> {
  return {
    TaxAmount: allowance.tax,
    TotalAmount: allowance.net,
    Details: allowance.items.map((item) => {
      const line = itemLine(item, one, 500);
      return {
        OriginalInvoiceNumber: allowance.invoice.number,
        OriginalInvoiceDate: taipeiDate(allowance.invoice.issuedAt),
        OriginalSequenceNumber: item.originalSequence,
        ItemName: line.name,
        ItemCount: new ExactNumber(line.quantity),
        ItemPrice: new ExactNumber(line.price),
        ItemAmount: new ExactNumber(line.amount),
        Tax: item.tax,
      };
    }),
  };
}

/**
 * Allowances can only be queried by ECPay's own number. The remainder of the invoice (BalanceAmount, net)
 * shows whether ours exists: if nothing is missing, it certainly does not; if something is, its number must
 * be looked up manually at ECPay.
 */
async function findAllowance(
  account: EcpayInvoiceAccount,
  allowance: AllowanceToSend,
): Promise<IssuedAllowance | null> {
  const details = await shown(account, {
    number: allowance.invoice.number,
    issuedAt: allowance.invoice.issuedAt,
    randomCode: '',
  });
  const sales = textOf(details, 'SalesAmount');
  if (!/^\d+$/.test(sales)) throw new ProviderUnsure('ECPay does not say the invoice’s amount');
  const left = BigInt(sales) - allowance.others.reduce((sum, { net }) => sum + net, 0n);
  if (isAmount(details, 'BalanceAmount', left)) return null;
  throw new ProviderUnsure(
    `ECPay leaves ${textOf(details, 'BalanceAmount')} of the invoice, not ${left}: the allowance may be there, its number is in ECPay’s console`,
  );
}
