// The rules of six messages of MIG 4.1 as data: their elements, order, lengths and formats. Source:
// 電子發票資料交換標準訊息建置 指引, version 4.1 (in force since 2025-01-01), chapters F0401, F0501, F0701, G0401, G0501,
// E0402 and appendix A. Elements that we never send are left out; where the guide only limits the length, our
// rules are narrower (a tax id is digits, an amount of an invoice whole dollars).

/** The allowed content of an element. Patterns are valid in both JavaScript and XML Schema. */
export type MigContent =
  | { readonly text: { readonly min: number; readonly max: number; readonly pattern?: string } }
  | { readonly number: { readonly fraction: number; readonly isPositive: boolean } }
  | { readonly parts: readonly MigRule[] };
export type MigRule = {
  readonly name: string;
  readonly isRequired: boolean;
  /** The maximum number of occurrences. */
  readonly most: number;
  readonly content: MigContent;
};

export const migTypes = ['F0401', 'F0501', 'F0701', 'G0401', 'G0501', 'E0402'] as const;
export type MigType = (typeof migTypes)[number];
/** The total digits of a decimal number (appendix A: totalDigits 20). */
export const migDigits = 20;

const must = (name: string, content: MigContent, most = 1): MigRule => ({
  name,
  isRequired: true,
  most,
  content,
});
const may = (name: string, content: MigContent): MigRule => ({ ...must(name, content), isRequired: false });
const text = (min: number, max: number): MigContent => ({ text: { min, max } });
const pattern = (form: string, max: number): MigContent => ({ text: { min: 1, max, pattern: form } });
const number = (fraction: number, isPositive = false): MigContent => ({ number: { fraction, isPositive } });
const parts = (...rules: readonly MigRule[]): MigContent => ({ parts: rules });

const invoiceNumber = pattern('[A-Z]{2}[0-9]{8}', 10);
const date = pattern('[0-9]{4}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])', 8);
const time = pattern('([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]', 8);
const sellerId = pattern('[0-9]{8}', 8);
/** A consumer is ten zeros. */
const buyerId = pattern('[0-9]{8}|0{10}', 10);
const taxType = pattern('[123]', 1);
const invoiceType = pattern('07|08', 2);
const allowanceType = pattern('2', 1);
const allowanceNumber = pattern('[0-9A-Za-z]{1,16}', 16);
const reason = text(1, 20);
const sequence = pattern('[0-9]{3,4}', 4);

const seller = parts(must('Identifier', sellerId), must('Name', text(1, 60)), must('Address', text(1, 100)));
const buyer = parts(must('Identifier', buyerId), must('Name', text(1, 60)), may('Address', text(1, 100)));

const invoice = [
  must(
    'Main',
    parts(
      must('InvoiceNumber', invoiceNumber),
      must('InvoiceDate', date),
      must('InvoiceTime', time),
      must('Seller', seller),
      must('Buyer', buyer),
      may('MainRemark', text(1, 200)),
      may('CustomsClearanceMark', pattern('[12]', 1)),
      may('RelateNumber', text(1, 20)),
      must('InvoiceType', invoiceType),
      must('DonateMark', pattern('[01]', 1)),
      may('CarrierType', pattern('[0-9A-Z]{6}', 6)),
      may('CarrierId1', text(1, 400)),
      may('CarrierId2', text(1, 400)),
      must('PrintMark', pattern('[YN]', 1)),
      may('NPOBAN', pattern('[0-9]{3,7}', 7)),
      must('RandomNumber', pattern('[0-9]{4}', 4)),
      may('ZeroTaxRateReason', pattern('7[1-9]', 2)),
    ),
  ),
  must(
    'Details',
    parts(
      must(
        'ProductItem',
        parts(
          must('Description', text(1, 500)),
          must('Quantity', number(7)),
          may('Unit', text(1, 6)),
          must('UnitPrice', number(7)),
          must('TaxType', taxType),
          must('Amount', number(7)),
          must('SequenceNumber', sequence),
        ),
        9999,
      ),
    ),
  ),
  must(
    'Amount',
    parts(
      must('SalesAmount', number(0, true)),
      must('FreeTaxSalesAmount', number(0, true)),
      must('ZeroTaxSalesAmount', number(0, true)),
      must('TaxType', pattern('[1239]', 1)),
      must('TaxRate', pattern('0|0\\.01|0\\.02|0\\.05|0\\.15|0\\.25', 4)),
      must('TaxAmount', number(0, true)),
      must('TotalAmount', number(0, true)),
    ),
  ),
] as const;

const allowance = [
  must(
    'Main',
    parts(
      must('AllowanceNumber', allowanceNumber),
      must('AllowanceDate', date),
      must('Seller', seller),
      must('Buyer', buyer),
      must('AllowanceType', allowanceType),
    ),
  ),
  must(
    'Details',
    parts(
      must(
        'ProductItem',
        parts(
          must('OriginalInvoiceDate', date),
          must('OriginalInvoiceNumber', invoiceNumber),
          may('OriginalSequenceNumber', sequence),
          must('OriginalDescription', text(1, 500)),
          must('Quantity', number(7)),
          may('Unit', text(1, 6)),
          must('UnitPrice', number(7)),
          must('Amount', number(7)),
          must('Tax', number(0)),
          must('AllowanceSequenceNumber', sequence),
          must('TaxType', taxType),
        ),
        9999,
      ),
    ),
  ),
  must('Amount', parts(must('TaxAmount', number(0, true)), must('TotalAmount', number(0, true)))),
] as const;

/** The name of the root element and its children, by message. */
export const migSchemas: Readonly<Record<MigType, { root: string; parts: readonly MigRule[] }>> = {
  F0401: { root: 'Invoice', parts: invoice },
  F0501: {
    root: 'CancelInvoice',
    parts: [
      must('CancelInvoiceNumber', invoiceNumber),
      must('InvoiceDate', date),
      must('BuyerId', buyerId),
      must('SellerId', sellerId),
      must('CancelDate', date),
      must('CancelTime', time),
      must('CancelReason', reason),
    ],
  },
  F0701: {
    root: 'VoidInvoice',
    parts: [
      must('VoidInvoiceNumber', invoiceNumber),
      must('InvoiceDate', date),
      must('BuyerId', buyerId),
      must('SellerId', sellerId),
      must('VoidDate', date),
      must('VoidTime', time),
      must('VoidReason', reason),
    ],
  },
  G0401: { root: 'Allowance', parts: allowance },
  G0501: {
    root: 'CancelAllowance',
    parts: [
      must('CancelAllowanceNumber', allowanceNumber),
      must('AllowanceType', allowanceType),
      must('AllowanceDate', date),
      must('BuyerId', buyerId),
      must('SellerId', sellerId),
      must('CancelDate', date),
      must('CancelTime', time),
      must('CancelReason', reason),
    ],
  },
  E0402: {
    root: 'BranchTrackBlank',
    parts: [
      must(
        'Main',
        parts(
          must('HeadBan', sellerId),
          must('BranchBan', sellerId),
          must('InvoiceType', invoiceType),
          must('YearMonth', pattern('[0-9]{3}(02|04|06|08|10|12)', 5)),
          must('InvoiceTrack', pattern('[A-Z]{2}', 2)),
        ),
      ),
      must(
        'Details',
        parts(
          must(
            'BranchTrackBlankItem',
            parts(
              must('InvoiceBeginNo', pattern('[0-9]{8}', 8)),
              must('InvoiceEndNo', pattern('[0-9]{8}', 8)),
            ),
            10_000,
          ),
        ),
      ),
    ],
  },
};
