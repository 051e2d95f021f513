// Builds the documents of issued bills and credit notes from the data stored with them.
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Language } from '#kernel/language.ts';
import { money, sumMoney, type Money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { dayOf, daysOfMonth } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { isTaxId } from '#features/access/identity/rules.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import {
  billingErrors,
  type Bill,
  type BillDetail,
  type BillTax,
} from '#features/invoicing/billing/contract.ts';
import {
  billById,
  letterheadOf,
  lineName,
  linesOfBill,
  sellerOf,
  stepSentences,
  type StoredLine,
} from '#features/invoicing/billing/server/index.ts';
import { paidAtIssue } from '#features/invoicing/credit-grants/server/index.ts';
import { creditsErrors } from '#features/invoicing/credits/contract.ts';
import { creditNoteById, linesOfNote } from '#features/invoicing/credits/server/index.ts';
import type { LineTax } from '#features/invoicing/taxes/contract.ts';
import { exemptReason } from '#features/invoicing/taxes/server/index.ts';
import { en16931Errors } from '../contract.ts';
import {
  addressLines,
  allowancesOf,
  oneUnit,
  pricedAs,
  type DocumentLine,
  type DocumentParty,
  type DocumentTax,
  type TaxDocument,
} from '../rules.ts';

type Buyer = BillDetail['buyer'];
type StoredBill = Bill & { readonly buyer: Buyer };
type TaxOfLines = DocumentTax & { readonly lines: readonly string[] };

/** The taxes of a bill; if it lists none, its single rate on all its lines. */
function taxesOf(ctx: Ctx, bill: StoredBill, lines: readonly StoredLine[]): readonly TaxOfLines[] {
  if (bill.taxes) return bill.taxes;
  const { taxStatus } = bill.buyer;
  const isZero = Number(bill.taxRate) === 0;
  const category: BillTax['category'] = taxStatus === 'exempt' ? 'E' : isZero ? 'Z' : 'S';
  return [
    {
      category,
      rate: bill.taxRate,
      ...(category === 'E' && { reason: exemptReason(ctx) }),
      net: bill.net,
      tax: bill.tax,
      lines: lines.flatMap(({ id, term }) => (term?.shares === undefined ? [id] : [])),
    },
  ];
}

type Sides = Pick<TaxDocument, 'seller' | 'buyer' | 'buyerReference' | 'orderReference'>;

/** A VAT id as the standard requires, with the country prefix; companies in Taiwan use their 統一編號. */
const vatIdOf = (country: string, vatId: string, taxId: string): string =>
  vatId === '' && country === 'TW' && isTaxId(taxId) ? `TW${taxId}` : vatId;

/**
 * The seller and the buyer as on the bill; data that was unknown when it was issued is taken from the
 * present. Outside the scope of tax, VAT ids are omitted (BR-O-02).
 */
async function sidesOf(ctx: Ctx, bill: StoredBill, taxes: readonly LineTax[]): Promise<Sides> {
  const now = (await sellerOf(ctx)).seller;
  const { seller } = await letterheadOf(ctx, bill.id);
  const organization = required(
    await organizationById(ctx.db, bill.organizationId),
    'the organization of a bill',
  );
  const { buyer } = bill;
  const hasVatIds = taxes.every(({ category }) => category !== 'O');
  const sellerCountry = seller.country ?? now.country ?? '';
  const country = buyer.country ?? (organization.country || sellerCountry);
  const party = (
    of: Pick<Buyer, 'name' | 'taxId' | 'address' | 'email'>,
    at: { country: string; vatId: string; electronicAddress: string },
  ): DocumentParty => ({
    name: of.name,
    address: addressLines(of.address),
    country: at.country,
    vatId: hasVatIds ? vatIdOf(at.country, at.vatId, of.taxId) : '',
    registration: of.taxId,
    email: of.email,
    electronicAddress: at.electronicAddress,
  });
  return {
    seller: {
      ...party(
        {
          name: seller.name,
          taxId: seller.taxId || now.taxId,
          address: seller.address || now.address,
          email: seller.email || now.email,
        },
        {
          country: sellerCountry,
          vatId: seller.vatId ?? now.vatId ?? '',
          electronicAddress: seller.electronicAddress ?? now.electronicAddress ?? '',
        },
      ),
      iban: seller.iban ?? now.iban ?? '',
      bic: seller.bic ?? now.bic ?? '',
    },
    buyer: party(
      {
        name: buyer.name,
        taxId: buyer.taxId || organization.taxId,
        address: buyer.address || organization.billingAddress,
        email: buyer.email || organization.billingEmail,
      },
      {
        country,
        vatId: buyer.vatId ?? vatIdNow(organization, country),
        electronicAddress: buyer.electronicAddress ?? organization.electronicAddress,
      },
    ),
    buyerReference: buyer.reference ?? '',
    orderReference: buyer.purchaseOrder ?? '',
  };
}

/** The organization's present VAT id, unless it has moved to another country since. */
const vatIdNow = ({ country, vatId }: Organization, billed: string): string =>
  country === billed ? vatId : '';

const taxOfLine = (taxes: readonly TaxOfLines[], lineId: string): DocumentLine['tax'] => {
  const { category, rate } = required(
    taxes.find(({ lines }) => lines.includes(lineId)),
    'the tax of a line',
  );
  return { category, rate };
};

// Longer descriptions are cut: they are only explanatory, and the PDF has them in full.
const longestDescription = 500;

/** Returns an issued bill as a document; only of the given organization, if any. */
export async function documentOfBill(
  ctx: Ctx,
  billId: string,
  organizationId: string | null,
  language: Language,
): Promise<TaxDocument> {
  const bill = await billById(ctx, billId, organizationId);
  if (!bill) throw domainError(billingErrors, 'billing.bill_not_found');
  if (bill.state === 'void') throw domainError(en16931Errors, 'en16931.bill_void');
  const lines = await linesOfBill(ctx, bill.id, bill.currency);
  const taxes = taxesOf(ctx, bill, lines);
  const { timeZone, layout } = await letterheadOf(ctx, bill.id);
  const translate = (key: string, params = {}): string => ctx.text(key, params, language);
  const days = daysOfMonth(bill.month);
  const charged = lines.filter(({ term }) => term?.shares === undefined);
  return {
    kind: 'invoice',
    number: bill.number,
    issuedOn: dayOf(bill.issuedAt, timeZone),
    dueOn: dayOf(bill.dueAt, timeZone),
    period:
      bill.kind === 'month'
        ? { from: required(days[0], 'a first day'), to: required(days.at(-1), 'a last day') }
        : null,
    currency: bill.currency,
    ...(await sidesOf(ctx, bill, taxes)),
    preceding: null,
    note: '',
    paymentTerms: '',
    lines: charged.map((line) => ({
      id: line.id,
      name: lineName(line, translate, language),
      description: stepSentences(line, translate, language, layout).join('; ').slice(0, longestDescription),
      ...pricedAs(line),
      net: line.total,
      tax: taxOfLine(taxes, line.id),
    })),
    allowances: allowancesOf(
      lines.flatMap((line) =>
        line.term?.shares === undefined
          ? []
          : [{ name: lineName(line, translate, language), shares: line.term.shares }],
      ),
      taxes,
      bill.currency,
    ),
    taxes: taxes.map(withoutLines),
    net: bill.net,
    tax: bill.tax,
    total: bill.total,
    prepaid: money(await paidAtIssue(ctx, bill.id), bill.currency),
  };
}

const withoutLines = ({ lines: _lines, ...tax }: TaxOfLines): DocumentTax => tax;

/**
 * Returns a credit note as a document, with the taxes of the lines that it credits; only of the given
 * organization, if any.
 */
export async function documentOfCreditNote(
  ctx: Ctx,
  creditNoteId: string,
  organizationId: string | null,
  language: Language,
): Promise<TaxDocument> {
  const note = await creditNoteById(ctx, creditNoteId, organizationId);
  if (!note) throw domainError(creditsErrors, 'credits.note_not_found');
  const bill = required(await billById(ctx, note.billId, null), 'the bill of a credit note');
  const billLines = await linesOfBill(ctx, bill.id, bill.currency);
  const taxes = taxesOf(ctx, bill, billLines);
  const { timeZone } = await letterheadOf(ctx, bill.id);
  const translate = (key: string, params = {}): string => ctx.text(key, params, language);
  const byId = new Map(billLines.map((line) => [line.id, line]));
  const taken = await linesOfNote(ctx, note.id);
  const sum = (minors: readonly bigint[]): Money =>
    sumMoney(
      minors.map((minor) => money(minor, note.currency)),
      note.currency,
    );
  const used = taxes.flatMap((tax): DocumentTax[] => {
    const own = taken.filter(({ id }) => tax.lines.includes(id));
    return own.length === 0
      ? []
      : [
          {
            ...withoutLines(tax),
            net: sum(own.map(({ net }) => net)),
            tax: sum(own.map((line) => line.tax)),
          },
        ];
  });
  const issuedOn: LocalDay = dayOf(note.issuedAt, timeZone);
  return {
    kind: 'credit_note',
    number: note.number,
    issuedOn,
    dueOn: null,
    period: null,
    currency: note.currency,
    ...(await sidesOf(ctx, bill, used)),
    preceding: { number: bill.number, issuedOn: dayOf(bill.issuedAt, timeZone) },
    note: note.reason,
    // The amount of a credit note is set off against the bill, or added to the balance.
    paymentTerms: translate('en16931.credit_terms', { number: bill.number }),
    lines: taken.map(({ id, net }) => {
      const amount = money(net, note.currency);
      return {
        id,
        name: lineName(required(byId.get(id), 'the line of the bill'), translate, language),
        description: '',
        ...pricedAs({ quantity: '1', unit: oneUnit, unitPrice: null, total: amount }),
        net: amount,
        tax: taxOfLine(taxes, id),
      };
    }),
    allowances: [],
    taxes: used,
    net: note.net,
    tax: note.tax,
    total: note.total,
    prepaid: money(0n, note.currency),
  };
}
