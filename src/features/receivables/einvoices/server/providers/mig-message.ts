// Messages of MIG 4.1 as trees: built from our documents, checked against the schema's rules, and serialized
// as XML.
import { create } from 'xmlbuilder2';
import { decimal, trimDecimal } from '#kernel/decimal.ts';
import { rocPeriod, taipeiMoment } from '../../rules-codes.ts';
import type {
  AllowanceToSend,
  InvoiceItem,
  InvoiceToSend,
  IssuedAllowance,
  IssuedInvoice,
  Party,
  UnusedNumbers,
} from '../provider.ts';
import { migDigits, migSchemas, type MigContent, type MigRule, type MigType } from './mig-schema.ts';
import { orderNumber } from './order-number.ts';
import { fieldRefused, plainText, type FieldProblem } from './refusals.ts';
import { hasZeroRated, invoiceTaxType, taxTypes, zeroRating } from './tax-kinds.ts';

/** An element: its name, its text or its children, and our field that it comes from. */
export type MigNode = {
  readonly name: string;
  readonly content: string | readonly MigNode[];
  readonly field: string;
};
export type MigMessage = { readonly type: MigType; readonly nodes: readonly MigNode[] };

const leaf = (name: string, content: string, field: string): MigNode => ({
  name,
  content: plainText(content),
  field,
});
const branch = (name: string, content: readonly (MigNode | null)[], field = ''): MigNode => ({
  name,
  content: content.filter((node) => node !== null),
  field,
});
/** An element that is left out if it has no content. */
const optional = (name: string, content: string, field: string): MigNode | null =>
  plainText(content) === '' ? null : leaf(name, content, field);

const dateOf = (at: Date): string => {
  const { year, month, day } = taipeiMoment(at);
  return `${year}${month}${day}`;
};
const timeOf = (at: Date): string => taipeiMoment(at).time;
const sequenceOf = (place: number): string => String(place).padStart(3, '0');

/** 全部為 0: stands for a consumer in place of a tax id. */
const consumerId = '0000000000';
const buyerIdOf = (buyer: Party): string => (buyer.taxId === '' ? consumerId : buyer.taxId);

const sellerNode = (seller: Party): MigNode =>
  branch('Seller', [
    leaf('Identifier', seller.taxId, 'seller.taxId'),
    leaf('Name', seller.name, 'seller.name'),
    leaf('Address', seller.address, 'seller.address'),
  ]);
/** The Ministry gets a company's address, but not a consumer's. */
const buyerNode = (buyer: Party): MigNode =>
  branch('Buyer', [
    leaf('Identifier', buyerIdOf(buyer), 'buyer.taxId'),
    leaf('Name', buyer.name, 'buyer.name'),
    buyer.taxId === '' ? null : optional('Address', buyer.address, 'buyer.address'),
  ]);

/**
 * 載具類別 (MIG 4.1, CarrierTypeEnum). A seller's own member carrier requires a code from the Ministry, which we
 * do not have.
 */
function carrierNodes({ carrier }: InvoiceToSend): (MigNode | null)[] {
  if (carrier === null) return [];
  if (carrier.kind === 'member')
    throw fieldRefused(
      'wrong',
      'carrier.kind',
      'Turnkey knows mobile bar codes and citizen certificates only',
    );
  const type = carrier.kind === 'mobile' ? '3J0002' : 'CQ0001';
  return [
    leaf('CarrierType', type, 'carrier.kind'),
    leaf('CarrierId1', carrier.code, 'carrier.code'),
    leaf('CarrierId2', carrier.code, 'carrier.code'),
  ];
}

/** `5` percent is written as `0.05`. */
const rateText = (percent: string): string => trimDecimal(decimal(percent).times(decimal('0.01')).toFixed());

/** The items of an invoice or allowance; fields are numbered from 1. */
const itemNode = (item: InvoiceItem, place: number): MigNode => {
  const field = (name: string): string => `items.${place}.${name}`;
  return branch('ProductItem', [
    leaf('Description', item.description, field('description')),
    leaf('Quantity', trimDecimal(item.quantity), field('quantity')),
    optional('Unit', item.unit, field('unit')),
    leaf('UnitPrice', trimDecimal(item.unitPrice), field('unitPrice')),
    leaf('TaxType', taxTypes[item.taxKind], field('taxKind')),
    leaf('Amount', item.amount.toString(), field('amount')),
    leaf('SequenceNumber', sequenceOf(place), field('sequence')),
  ]);
};

/** F0401, 平台存證開立發票. Throws {@link ProviderRefused} for content that Turnkey cannot represent. */
export function invoiceMessage(invoice: InvoiceToSend): MigMessage {
  const kind = invoiceTaxType(invoice);
  const isZeroRated = hasZeroRated(invoice);
  return {
    type: 'F0401',
    nodes: [
      branch('Main', [
        leaf('InvoiceNumber', invoice.number ?? '', 'number'),
        leaf('InvoiceDate', dateOf(invoice.issuedAt), 'issuedAt'),
        leaf('InvoiceTime', timeOf(invoice.issuedAt), 'issuedAt'),
        sellerNode(invoice.seller),
        buyerNode(invoice.buyer),
        optional('MainRemark', invoice.remark, 'remark'),
        isZeroRated ? leaf('CustomsClearanceMark', zeroRating.clearance, 'items') : null,
        leaf('RelateNumber', orderNumber(invoice.invoiceId), 'invoiceId'),
        leaf('InvoiceType', '07', 'type'),
        leaf('DonateMark', invoice.donationCode === null ? '0' : '1', 'donationCode'),
        ...carrierNodes(invoice),
        leaf('PrintMark', invoice.isPrinted ? 'Y' : 'N', 'isPrinted'),
        invoice.donationCode === null ? null : leaf('NPOBAN', invoice.donationCode, 'donationCode'),
        leaf('RandomNumber', invoice.randomCode ?? '', 'randomCode'),
        isZeroRated ? leaf('ZeroTaxRateReason', zeroRating.reason, 'items') : null,
      ]),
      branch(
        'Details',
        invoice.items.map((item, index) => itemNode(item, index + 1)),
        'items',
      ),
      branch('Amount', [
        leaf('SalesAmount', invoice.sales.taxable.toString(), 'sales.taxable'),
        leaf('FreeTaxSalesAmount', invoice.sales.exempt.toString(), 'sales.exempt'),
        leaf('ZeroTaxSalesAmount', invoice.sales.zero_rated.toString(), 'sales.zero_rated'),
        leaf('TaxType', kind, 'items'),
        leaf('TaxRate', kind === '1' || kind === '9' ? rateText(invoice.taxRate) : '0', 'taxRate'),
        leaf('TaxAmount', invoice.tax.toString(), 'tax'),
        leaf('TotalAmount', invoice.total.toString(), 'total'),
      ]),
    ],
  };
}

/** F0501, 作廢, and F0701, 註銷, of an invoice: the same elements under different names. */
export function cancelledInvoiceMessage(
  type: 'F0501' | 'F0701',
  invoice: InvoiceToSend,
  issued: IssuedInvoice,
  reason: string,
  at: Date,
): MigMessage {
  const word = type === 'F0501' ? 'Cancel' : 'Void';
  return {
    type,
    nodes: [
      leaf(`${word}InvoiceNumber`, issued.number, 'number'),
      leaf('InvoiceDate', dateOf(issued.issuedAt), 'issuedAt'),
      leaf('BuyerId', buyerIdOf(invoice.buyer), 'buyer.taxId'),
      leaf('SellerId', invoice.seller.taxId, 'seller.taxId'),
      leaf(`${word}Date`, dateOf(at), 'at'),
      leaf(`${word}Time`, timeOf(at), 'at'),
      leaf(`${word}Reason`, reason, 'reason'),
    ],
  };
}

/** G0401, 平台存證開立折讓證明單, by the seller (AllowanceType 2, the only one since MIG 4.1). */
export function allowanceMessage(allowance: AllowanceToSend): MigMessage {
  return {
    type: 'G0401',
    nodes: [
      branch('Main', [
        leaf('AllowanceNumber', allowance.number ?? '', 'number'),
        leaf('AllowanceDate', dateOf(allowance.date), 'date'),
        sellerNode(allowance.seller),
        buyerNode(allowance.buyer),
        leaf('AllowanceType', '2', 'type'),
      ]),
      branch(
        'Details',
        allowance.items.map((item, index) => {
          const field = (name: string): string => `items.${index + 1}.${name}`;
          return branch('ProductItem', [
            leaf('OriginalInvoiceDate', dateOf(allowance.invoice.issuedAt), 'invoice.issuedAt'),
            leaf('OriginalInvoiceNumber', allowance.invoice.number, 'invoice.number'),
            leaf('OriginalSequenceNumber', sequenceOf(item.originalSequence), field('originalSequence')),
            leaf('OriginalDescription', item.description, field('description')),
            leaf('Quantity', trimDecimal(item.quantity), field('quantity')),
            optional('Unit', item.unit, field('unit')),
            leaf('UnitPrice', trimDecimal(item.unitPrice), field('unitPrice')),
            leaf('Amount', item.amount.toString(), field('amount')),
            leaf('Tax', item.tax.toString(), field('tax')),
            leaf('AllowanceSequenceNumber', sequenceOf(index + 1), field('sequence')),
            leaf('TaxType', taxTypes[item.taxKind], field('taxKind')),
          ]);
        }),
        'items',
      ),
      branch('Amount', [
        leaf('TaxAmount', allowance.tax.toString(), 'tax'),
        leaf('TotalAmount', allowance.net.toString(), 'net'),
      ]),
    ],
  };
}

/** G0501, 平台存證作廢折讓證明單. */
export function cancelledAllowanceMessage(
  allowance: AllowanceToSend,
  issued: IssuedAllowance,
  reason: string,
  at: Date,
): MigMessage {
  return {
    type: 'G0501',
    nodes: [
      leaf('CancelAllowanceNumber', issued.number, 'number'),
      leaf('AllowanceType', '2', 'type'),
      leaf('AllowanceDate', dateOf(allowance.date), 'date'),
      leaf('BuyerId', buyerIdOf(allowance.buyer), 'buyer.taxId'),
      leaf('SellerId', allowance.seller.taxId, 'seller.taxId'),
      leaf('CancelDate', dateOf(at), 'at'),
      leaf('CancelTime', timeOf(at), 'at'),
      leaf('CancelReason', reason, 'reason'),
    ],
  };
}

/**
 * E0402, 空白未使用字軌. Overlapping ranges would make the platform refuse the whole message, so they are refused
 * here.
 */
export function unusedNumbersMessage(unused: UnusedNumbers): MigMessage {
  const ranges = unused.unused.toSorted((a, b) => (a.from < b.from ? -1 : 1));
  for (const [index, range] of ranges.entries())
    if (range.from > range.to || range.from <= (ranges[index - 1]?.to ?? ''))
      throw fieldRefused('wrong', 'unused', 'ranges begin before they end and do not overlap');
  return {
    type: 'E0402',
    nodes: [
      branch('Main', [
        leaf('HeadBan', unused.seller.taxId, 'seller.taxId'),
        leaf('BranchBan', unused.seller.taxId, 'seller.taxId'),
        leaf('InvoiceType', '07', 'type'),
        leaf('YearMonth', rocPeriod(new Date(`${unused.period}-15T00:00:00Z`)), 'period'),
        leaf('InvoiceTrack', unused.track, 'track'),
      ]),
      branch(
        'Details',
        ranges.map((range) =>
          branch('BranchTrackBlankItem', [
            leaf('InvoiceBeginNo', range.from, 'unused'),
            leaf('InvoiceEndNo', range.to, 'unused'),
          ]),
        ),
        'unused',
      ),
    ],
  };
}

/** Why the schema would refuse a message. */
export type MigViolation = {
  readonly field: string;
  readonly problem: FieldProblem;
  readonly detail: string;
};

/** Returns the first violation of the schema in a message; null if there is none. */
export function migViolation({ type, nodes }: MigMessage): MigViolation | null {
  return violationIn(migSchemas[type].parts, nodes, '');
}

function violationIn(
  rules: readonly MigRule[],
  nodes: readonly MigNode[],
  field: string,
): MigViolation | null {
  let place = 0;
  for (const rule of rules) {
    let count = 0;
    for (; nodes[place]?.name === rule.name; place++, count++) {
      const node = nodes[place];
      const wrong = node ? violationOf(rule.content, node) : null;
      if (wrong !== null) return wrong;
    }
    if (count === 0 && rule.isRequired)
      return { field, problem: 'missing', detail: `${rule.name} is missing` };
    if (count > rule.most)
      return { field, problem: 'long', detail: `${rule.name} stands there more than ${rule.most} times` };
  }
  const rest = nodes[place];
  return rest === undefined
    ? null
    : { field: rest.field, problem: 'wrong', detail: `${rest.name} does not belong here` };
}

function violationOf(content: MigContent, { name, content: value, field }: MigNode): MigViolation | null {
  const wrong = (problem: FieldProblem, detail: string): MigViolation => ({ field, problem, detail });
  if ('parts' in content)
    return typeof value === 'string'
      ? wrong('wrong', `${name} has parts`)
      : violationIn(content.parts, value, field);
  if (typeof value !== 'string') return wrong('wrong', `${name} has no parts`);
  if ('number' in content) return violationOfNumber(content.number, value, wrong);
  const { min, max, pattern } = content.text;
  const { length } = [...value];
  if (length < min) return wrong('missing', 'is required');
  if (length > max) return wrong('long', `has more than ${max} characters`);
  return pattern === undefined || new RegExp(`^(${pattern})$`, 'u').test(value)
    ? null
    : wrong('wrong', `${JSON.stringify(value)} is not of the form ${pattern}`);
}

function violationOfNumber(
  { fraction, isPositive }: { fraction: number; isPositive: boolean },
  value: string,
  wrong: (problem: FieldProblem, detail: string) => MigViolation,
): MigViolation | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value);
  if (!match) return wrong('wrong', `${JSON.stringify(value)} is no number`);
  const [, sign = '', whole = '', decimals = ''] = match;
  if (isPositive && sign !== '') return wrong('wrong', 'must not be negative');
  if (decimals.length > fraction) return wrong('long', `has more than ${fraction} decimals`);
  return whole.length + decimals.length > migDigits
    ? wrong('long', `has more than ${migDigits} digits`)
    : null;
}

/** The namespace of a message of MIG 4.1. */
export const migNamespace = (type: MigType): string => `urn:GEINV:eInvoiceMessage:${type}:4.1`;
const xsi = 'http://www.w3.org/2001/XMLSchema-instance';

/**
 * Returns the XML of a message; the same message yields the same XML.
 * @throws ProviderRefused with the field when the schema would refuse it.
 */
export function migXml(message: MigMessage): string {
  const violation = migViolation(message);
  if (violation !== null) throw fieldRefused(violation.problem, violation.field, violation.detail);
  return writtenXml(message);
}

/** Returns the XML of a message without checking it. */
export function writtenXml({ type, nodes }: MigMessage): string {
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele(migNamespace(type), migSchemas[type].root, {
    'xmlns:xsi': xsi,
    'xsi:schemaLocation': `${migNamespace(type)} ${type}.xsd`,
  });
  const add = (parent: typeof root, node: MigNode): void => {
    const element = parent.ele(node.name);
    if (typeof node.content === 'string') element.txt(node.content);
    else for (const part of node.content) add(element, part);
  };
  for (const node of nodes) add(root, node);
  return `${root.end({ prettyPrint: true })}\n`;
}
