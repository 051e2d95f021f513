// ezPay's e-invoice service behind our interface. Source: see ezpay-call.ts; chapters 五 (invoice_issue 1.5, invoice_invalid 1.0, invoice_search
// 1.3) and 六 (allowance_issue 1.3, allowanceInvalid 1.0) of the same manual.
import { bytesOf, containedTax } from '../../rules-codes.ts';
import { failureWords, fullWidth, wholeUnit } from '../../rules-words.ts';
import {
  ProviderRefused,
  ProviderUnsure,
  type AllowanceToSend,
  type EInvoiceProvider,
  type InvoiceItem,
  type InvoiceToSend,
  type IssuedInvoice,
  type UploadState,
} from '../provider.ts';
import { isAmount, momentOf, numberOf, randomCodeOf, textOf, type Answer } from './answers.ts';
import {
  assertCheckCode,
  ezpayCall,
  ezpayCodes,
  type EzpayFields,
  type EzpayInvoiceAccount,
} from './ezpay-call.ts';
import { itemLine, one, wholeLine, type ItemLine } from './item-lines.ts';
import { orderNumber } from './order-number.ts';
import { boundedText, fieldRefused, plainText, requiredText, shortened } from './refusals.ts';
import { hasZeroRated, invoiceTaxType, taxTypes, zeroRating } from './tax-kinds.ts';

/** Creates the channel through ezPay with a shop's account. */
export function ezpayInvoices(account: EzpayInvoiceAccount): EInvoiceProvider {
  return {
    name: 'ezpay',
    allotsNumbers: true,
    check: () => check(account),
    issue: (invoice) => issue(account, invoice),
    findInvoice: (invoice) => find(account, invoice),
    voidInvoice: (_invoice, issued, reason) =>
      voided(account, '/Api/invoice_invalid', {
        InvoiceNumber: issued.number,
        InvalidReason: shortReason(reason),
      }),
    isVoided: async (invoice) => {
      const status = textOf(await shown(account, invoice), 'InvoiceStatus');
      if (status === '1') return false;
      if (status === '2' || status === '0') return true;
      throw new ProviderUnsure(`the invoice stands at ${status} at ezPay`);
    },
    annulInvoice: null,
    allow: async (allowance) => {
      const answer = await ezpayCall(account, '/Api/allowance_issue', '1.3', allowanceFields(allowance));
      const number = textOf(answer, 'AllowanceNo');
      if (!/^[0-9A-Za-z]{1,25}$/.test(number))
        throw new ProviderUnsure(`allowed, but AllowanceNo is ${JSON.stringify(number)}`);
      return { number };
    },
    findAllowance: () => neverShown(),
    voidAllowance: (_allowance, issued, reason) =>
      voided(account, '/Api/allowanceInvalid', {
        AllowanceNo: issued.number,
        InvalidReason: shortReason(reason),
      }),
    isAllowanceVoided: () => neverShown(),
    invoiceState: async (invoice) => uploadState(await shown(account, invoice)),
    reportUnused: null,
  };
}

/**
 * The manual has no query for allowances: if there was no response, the outcome must be looked up manually in
 * ezPay's console.
 */
function neverShown(): Promise<never> {
  return Promise.reject(
    new ProviderUnsure('ezPay does not say what became of an allowance; look at its console'),
  );
}

/** Queries an invoice that does not exist: with a wrong key, ezPay cannot decrypt the query (KEY10002). */
async function check(account: EzpayInvoiceAccount): Promise<{ isLive: boolean }> {
  await search(account, '00000000000000000000', 1n);
  return { isLive: new URL(account.apiBase).hostname === 'inv.ezpay.com.tw' };
}

async function issue(account: EzpayInvoiceAccount, invoice: InvoiceToSend): Promise<IssuedInvoice> {
  const fields = issueFields(invoice);
  try {
    const answer = await ezpayCall(account, '/Api/invoice_issue', '1.5', fields);
    assertCheckCode(answer, account);
    return issuedIn(answer, invoice);
  } catch (error) {
    if (!(error instanceof ProviderRefused && error.code === ezpayCodes.duplicate)) throw error;
    const found = await find(account, invoice);
    if (found !== null) return found;
    throw new ProviderUnsure('ezPay knows the number but shows no invoice of this total', { cause: error });
  }
}

/** Parses what was issued, and checks that it is ours. Throws {@link ProviderUnsure}. */
function issuedIn(answer: Answer, invoice: InvoiceToSend): IssuedInvoice {
  if (
    textOf(answer, 'MerchantOrderNo') !== orderNumber(invoice.invoiceId) ||
    !isAmount(answer, 'TotalAmt', invoice.total)
  )
    throw new ProviderUnsure('ezPay answered about another invoice');
  return {
    number: numberOf(answer, 'InvoiceNumber'),
    randomCode: randomCodeOf(answer, 'RandomNum'),
    issuedAt: momentOf(answer, 'CreateTime'),
  };
}

/**
 * Returns the invoice of an order number and total; null if ezPay says that there is none. Throws {@link
 * ProviderUnsure}, and {@link ProviderRefused} for wrong keys.
 */
async function search(account: EzpayInvoiceAccount, order: string, total: bigint): Promise<Answer | null> {
  try {
    const answer = await ezpayCall(account, '/Api/invoice_search', '1.3', {
      SearchType: '1',
      MerchantOrderNo: order,
      TotalAmt: total.toString(),
    });
    assertCheckCode(answer, account);
    return answer;
  } catch (error) {
    if (error instanceof ProviderRefused && error.code === ezpayCodes.absent) return null;
    throw error;
  }
}

/** The same for our invoice; a refused query says nothing about the invoice. */
async function asked(account: EzpayInvoiceAccount, invoice: InvoiceToSend): Promise<Answer | null> {
  try {
    return await search(account, orderNumber(invoice.invoiceId), invoice.total);
  } catch (error) {
    if (error instanceof ProviderRefused)
      throw new ProviderUnsure(`ezPay did not answer the question: ${error.code} ${error.message}`, {
        cause: error,
      });
    throw error;
  }
}
async function find(account: EzpayInvoiceAccount, invoice: InvoiceToSend): Promise<IssuedInvoice | null> {
  const answer = await asked(account, invoice);
  return answer === null ? null : issuedIn(answer, invoice);
}
async function shown(account: EzpayInvoiceAccount, invoice: InvoiceToSend): Promise<Answer> {
  const answer = await asked(account, invoice);
  if (answer === null) throw new ProviderUnsure('ezPay shows no invoice under our number');
  return answer;
}

/**
 * Voids something; already voided counts as success. The manual's code for that covers invoices only, its
 * wording also allowances.
 */
async function voided(account: EzpayInvoiceAccount, path: string, fields: EzpayFields): Promise<void> {
  try {
    await ezpayCall(account, path, '1.0', fields);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    if (error.code !== ezpayCodes.voidedAlready && !/已.{0,4}作廢/.test(error.message)) throw error;
  }
}

/**
 * InvalidReason has 6 Chinese or 20 Latin characters: 20 bytes. Longer reasons are truncated; the console
 * stores the whole.
 */
function shortReason(reason: string): string {
  let text = requiredText(reason, 'reason', 20);
  while (bytesOf(text) > 20) text = [...text].slice(0, -1).join('');
  return text;
}

/** UploadStatus: 0 未上傳, 1 已上傳, 2 上傳中, 3 上傳失敗. */
function uploadState(answer: Answer): UploadState {
  switch (textOf(answer, 'UploadStatus')) {
    case '1':
      return { state: 'uploaded' };
    case '3':
      return { state: 'failed', code: '3', reason: failureWords.upload };
    default:
      return { state: 'uploading' };
  }
}

/** Items in one field are separated by |, which no item may contain. */
const joined = (texts: readonly string[]): string =>
  texts.map((text) => text.replaceAll('|', fullWidth.bar)).join('|');

/**
 * ezPay counts in whole numbers: quantities with decimals are sold as one whole. Names have 30 characters,
 * units 6 bytes.
 */
function lineOf(item: InvoiceItem): ItemLine {
  const line = itemLine(item, one, 30);
  if (line.quantity.includes('.') || line.price.includes('.'))
    return wholeLine(item.description, item.amount, 30);
  return bytesOf(line.unit) <= 6 ? line : { ...line, unit: wholeUnit };
}

const carrierTypes = { mobile: '0', citizen: '1', member: '2' } as const;

/** Amt is net even for consumers, whose prices include tax. */
function amountFields(invoice: InvoiceToSend, taxType: string): EzpayFields {
  const { sales } = invoice;
  const isNet = invoice.buyer.taxId !== '';
  const tax = isNet ? invoice.tax : containedTax(sales.taxable, invoice.taxRate);
  const taxable = isNet ? sales.taxable : sales.taxable - tax;
  return {
    TaxType: taxType,
    TaxRate: taxType === '1' || taxType === '9' ? invoice.taxRate : '0',
    Amt: (taxable + sales.zero_rated + sales.exempt).toString(),
    ...(taxType === '9'
      ? {
          AmtSales: taxable.toString(),
          AmtZero: sales.zero_rated.toString(),
          AmtFree: sales.exempt.toString(),
        }
      : {}),
    TaxAmt: tax.toString(),
    TotalAmt: invoice.total.toString(),
  };
}

function issueFields(invoice: InvoiceToSend): EzpayFields {
  const { buyer, carrier, donationCode } = invoice;
  const isCompany = buyer.taxId !== '';
  const taxType = invoiceTaxType(invoice);
  if (taxType === '9' && isCompany)
    throw fieldRefused('wrong', 'items', 'ezPay takes several kinds of tax from consumers only');
  const lines = invoice.items.map(lineOf);
  return {
    MerchantOrderNo: orderNumber(invoice.invoiceId),
    // 1: issued at once.
    Status: '1',
    Category: isCompany ? 'B2B' : 'B2C',
    BuyerName: requiredText(buyer.name, 'buyer.name', isCompany ? 60 : 30),
    ...(isCompany ? { BuyerUBN: buyer.taxId } : {}),
    BuyerAddress: boundedText(buyer.address, 'buyer.address', 100),
    BuyerEmail: boundedText(buyer.email, 'buyer.email', 50),
    ...(carrier === null
      ? {}
      : {
          CarrierType: carrierTypes[carrier.kind],
          // ezPay's own carrier is found by the e-mail address.
          CarrierNum: carrier.kind === 'member' ? requiredText(buyer.email, 'buyer.email', 50) : carrier.code,
        }),
    ...(donationCode === null ? {} : { LoveCode: donationCode }),
    PrintFlag: isCompany || invoice.isPrinted ? 'Y' : 'N',
    ...amountFields(invoice, taxType),
    ...(hasZeroRated(invoice) ? { CustomsClearance: zeroRating.clearance } : {}),
    ItemName: joined(lines.map(({ name }) => name)),
    ItemCount: joined(lines.map(({ quantity }) => quantity)),
    ItemUnit: joined(lines.map(({ unit }) => unit)),
    ItemPrice: joined(lines.map(({ price }) => price)),
    ItemAmt: joined(lines.map(({ amount }) => amount)),
    ...(taxType === '9'
      ? { ItemTaxType: joined(invoice.items.map(({ taxKind }) => taxTypes[taxKind])) }
      : {}),
    Comment: boundedText(invoice.remark, 'remark', 200),
  };
}

/** Net amounts, each with its tax; Status 1 confirms the allowance immediately. */
function allowanceFields(allowance: AllowanceToSend): EzpayFields {
  const { items } = allowance;
  return {
    InvoiceNo: allowance.invoice.number,
    MerchantOrderNo: orderNumber(allowance.invoice.id),
    ItemName: joined(items.map(({ description }) => shortened(plainText(description), 30))),
    ItemCount: joined(items.map(() => '1')),
    ItemUnit: joined(items.map(() => wholeUnit)),
    ItemPrice: joined(items.map(({ amount }) => amount.toString())),
    ItemAmt: joined(items.map(({ amount }) => amount.toString())),
    ItemTaxAmt: joined(items.map(({ tax }) => tax.toString())),
    TotalAmt: (allowance.net + allowance.tax).toString(),
    BuyerEmail: boundedText(allowance.buyer.email, 'buyer.email', 50),
    Status: '1',
  };
}
