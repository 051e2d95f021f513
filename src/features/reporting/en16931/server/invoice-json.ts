// Converts a document to the library's JSON, which follows UBL: all values are strings, amounts with their
// currency.
import type { Invoice } from '@e-invoice-eu/core';
import { moneyText, type Money } from '#kernel/money.ts';
import type { LineTax } from '#features/invoicing/taxes/contract.ts';
import { sumsOf, type DocumentParty, type TaxDocument } from '../rules.ts';

/** The profiles: Peppol BIS Billing 3.0, and the plain standard. */
const peppol = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';
const plain = 'urn:cen.eu:en16931:2017';
const billingProfile = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';

type Body = Invoice['ubl:Invoice'];
type Json = Readonly<Record<string, unknown>>;

const amount = (name: string, value: Money): Json => ({
  [`cbc:${name}`]: moneyText(value),
  [`cbc:${name}@currencyID`]: value.currency,
});
const some = (value: string, make: (value: string) => Json): Json => (value === '' ? {} : make(value));
const taxScheme = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } };

/** Outside the scope of tax there is no rate, not even zero (BR-O-05). */
const taxCategory = ({ category, rate }: Pick<LineTax, 'category' | 'rate'>): Json => ({
  'cbc:ID': category,
  ...(category !== 'O' && { 'cbc:Percent': rate }),
  ...taxScheme,
});

/** Peppol requires an address for both parties; one without an electronic address gets their e-mail. */
const endpointOf = ({ electronicAddress, email }: DocumentParty): Json => {
  const [scheme, ...rest] = electronicAddress.split(':');
  return electronicAddress === ''
    ? some(email, (value) => ({ 'cbc:EndpointID': value, 'cbc:EndpointID@schemeID': 'EM' }))
    : { 'cbc:EndpointID': rest.join(':'), 'cbc:EndpointID@schemeID': scheme };
};

function partyOf(party: DocumentParty, vat: (value: string) => unknown): Json {
  const { name, address, country, vatId, registration, email } = party;
  const [street = '', additional = '', ...more] = address;
  return {
    ...endpointOf(party),
    'cac:PartyName': { 'cbc:Name': name },
    'cac:PostalAddress': {
      ...some(street, (value) => ({ 'cbc:StreetName': value })),
      ...some(additional, (value) => ({ 'cbc:AdditionalStreetName': value })),
      ...some(more.join(', '), (value) => ({ 'cac:AddressLine': { 'cbc:Line': value } })),
      'cac:Country': { 'cbc:IdentificationCode': country },
    },
    ...some(vatId, (value) => ({ 'cac:PartyTaxScheme': vat(value) })),
    'cac:PartyLegalEntity': {
      'cbc:RegistrationName': name,
      ...some(registration, (value) => ({ 'cbc:CompanyID': value })),
    },
    ...some(email, (value) => ({ 'cac:Contact': { 'cbc:ElectronicMail': value } })),
  };
}

/** A credit transfer to the seller's account; for euros, a SEPA transfer (UNCL 4461). */
function paymentMeansOf({ kind, seller, currency, number }: TaxDocument): Json {
  if (kind === 'credit_note' || seller.iban === '') return {};
  return {
    'cac:PaymentMeans': [
      {
        'cbc:PaymentMeansCode': currency === 'EUR' ? '58' : '30',
        'cbc:PaymentID': number,
        'cac:PayeeFinancialAccount': {
          'cbc:ID': seller.iban,
          'cbc:Name': seller.name,
          ...some(seller.bic, (value) => ({ 'cac:FinancialInstitutionBranch': { 'cbc:ID': value } })),
        },
      },
    ],
  };
}

/** Peppol requires a buyer reference: the buyer's own, their order, or a placeholder. */
function referencesOf({ buyerReference, orderReference }: TaxDocument, isPeppol: boolean): Json {
  const reference = buyerReference || (isPeppol && orderReference === '' ? 'NA' : '');
  return {
    ...some(reference, (value) => ({ 'cbc:BuyerReference': value })),
    ...some(orderReference, (value) => ({ 'cac:OrderReference': { 'cbc:ID': value } })),
  };
}

/**
 * The delivery date: for services, the end of their month. The CII schema requires the delivery; for goods to
 * another EU country it names that country (BR-IC-11, BR-IC-12).
 */
const deliveryOf = ({ taxes, buyer, issuedOn, period }: TaxDocument): Json => ({
  'cac:Delivery': {
    'cbc:ActualDeliveryDate': period?.to ?? issuedOn,
    ...(taxes.some(({ category }) => category === 'K') && {
      'cac:DeliveryLocation': {
        'cac:Address': { 'cac:Country': { 'cbc:IdentificationCode': buyer.country } },
      },
    }),
  },
});

function headOf(document: TaxDocument): Json {
  const { kind, number, issuedOn, dueOn, currency, period, preceding, note, seller, buyer } = document;
  const isPeppol = seller.electronicAddress !== '' && buyer.electronicAddress !== '';
  return {
    'cbc:CustomizationID': isPeppol ? peppol : plain,
    'cbc:ProfileID': billingProfile,
    'cbc:ID': number,
    'cbc:IssueDate': issuedOn,
    ...(dueOn !== null && { 'cbc:DueDate': dueOn }),
    'cbc:InvoiceTypeCode': kind === 'credit_note' ? '381' : '380',
    ...some(note, (value) => ({ 'cbc:Note': [value] })),
    'cbc:DocumentCurrencyCode': currency,
    ...referencesOf(document, isPeppol),
    ...(period && { 'cac:InvoicePeriod': { 'cbc:StartDate': period.from, 'cbc:EndDate': period.to } }),
    ...(preceding && {
      'cac:BillingReference': [
        {
          'cac:InvoiceDocumentReference': { 'cbc:ID': preceding.number, 'cbc:IssueDate': preceding.issuedOn },
        },
      ],
    }),
    'cac:AccountingSupplierParty': {
      'cac:Party': partyOf(seller, (value) => [{ 'cbc:CompanyID': value, ...taxScheme }]),
    },
    'cac:AccountingCustomerParty': {
      'cac:Party': partyOf(buyer, (value) => ({ 'cbc:CompanyID': value, ...taxScheme })),
    },
    ...deliveryOf(document),
    ...paymentMeansOf(document),
    ...some(document.paymentTerms, (value) => ({ 'cac:PaymentTerms': { 'cbc:Note': value } })),
  };
}

function sumsPart(document: TaxDocument): Json {
  const { taxes, tax, net, total, prepaid, allowances } = document;
  const sums = sumsOf(document);
  return {
    ...(allowances.length > 0 && {
      'cac:AllowanceCharge': allowances.map(({ isCharge, reason, amount: value, tax: own }) => ({
        'cbc:ChargeIndicator': String(isCharge),
        'cbc:AllowanceChargeReason': reason,
        ...amount('Amount', value),
        'cac:TaxCategory': taxCategory(own),
      })),
    }),
    'cac:TaxTotal': [
      {
        ...amount('TaxAmount', tax),
        'cac:TaxSubtotal': taxes.map((row) => ({
          ...amount('TaxableAmount', row.net),
          ...amount('TaxAmount', row.tax),
          'cac:TaxCategory': {
            'cbc:ID': row.category,
            ...(row.category !== 'O' && { 'cbc:Percent': row.rate }),
            ...(row.reason?.code !== undefined && { 'cbc:TaxExemptionReasonCode': row.reason.code }),
            ...(row.reason && { 'cbc:TaxExemptionReason': row.reason.name.enUS }),
            ...taxScheme,
          },
        })),
      },
    ],
    'cac:LegalMonetaryTotal': {
      ...amount('LineExtensionAmount', sums.lines),
      ...amount('TaxExclusiveAmount', net),
      ...amount('TaxInclusiveAmount', total),
      ...(sums.allowances.minor !== 0n && amount('AllowanceTotalAmount', sums.allowances)),
      ...(sums.charges.minor !== 0n && amount('ChargeTotalAmount', sums.charges)),
      ...(prepaid.minor !== 0n && amount('PrepaidAmount', prepaid)),
      ...amount('PayableAmount', sums.payable),
    },
  };
}

/**
 * Converts a document to the library's input. The library validates it against its schema, with the code
 * lists of the standard.
 */
export function invoiceOf(document: TaxDocument): Invoice {
  const body: Json = {
    ...headOf(document),
    ...sumsPart(document),
    'cac:InvoiceLine': document.lines.map((line) => ({
      'cbc:ID': line.id,
      'cbc:InvoicedQuantity': line.quantity,
      'cbc:InvoicedQuantity@unitCode': line.unit,
      ...amount('LineExtensionAmount', line.net),
      'cac:Item': {
        ...some(line.description, (value) => ({ 'cbc:Description': value })),
        'cbc:Name': line.name,
        'cac:ClassifiedTaxCategory': taxCategory(line.tax),
      },
      'cac:Price': { 'cbc:PriceAmount': line.price, 'cbc:PriceAmount@currencyID': document.currency },
    })),
  };
  // The library's types enumerate every code of every list; its schema checks the values when the file is
  // created.
  return { 'ubl:Invoice': body as unknown as Body };
}
