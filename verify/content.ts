// Whether every bill has the content with which it was issued: recomputes its digest from the stored data
// (I5).
import { createHash } from 'node:crypto';
import { collector, owned, streamOf, type Books, type Check, type Outcome } from './books.ts';

const digits: Readonly<Record<string, number>> = { TWD: 0, JPY: 0, KRW: 0, VND: 0, KWD: 3 };

/** Whole minor units as a text in major ones: 12345 USD is "123.45". */
export function major(minor: string, currency: string): string {
  const after = digits[currency] ?? 2;
  const sign = minor.startsWith('-') ? '-' : '';
  const all = minor.replace('-', '').padStart(after + 1, '0');
  return after === 0 ? `${sign}${all}` : `${sign}${all.slice(0, -after)}.${all.slice(-after)}`;
}

type StoredLine = [
  kind: string,
  subscription: string,
  service: string,
  price: string,
  quantity: string,
  unit: string,
  unitPrice: string | null,
  exact: string,
  minor: string,
  forMonth: string | null,
  charge: { key: string; name: { zhTW: string; enUS: string } } | null,
  term: Term | null,
];
type Amount = { amount: string };
type Term = {
  id: string;
  name: { zhTW: string; enUS: string };
  percent?: string;
  period?: { from: string; to: string };
  reduction?:
    | { kind: 'percent'; percent: string; maximum: Amount | null }
    | { kind: 'fixed'; amount: Amount };
  shares?: { lineId: string; amount: Amount }[];
};

/** What a line says of the discount, credit, one-off charge or minimum spend that it is for. */
const termContent = ({ id, name, reduction, percent, period, shares = [] }: Term): unknown[] => [
  id,
  name.zhTW,
  name.enUS,
  ...(reduction === undefined
    ? []
    : reduction.kind === 'percent'
      ? [['percent', reduction.percent, reduction.maximum && reduction.maximum.amount]]
      : [['fixed', reduction.amount.amount]]),
  ...(percent === undefined ? [] : [['rate', percent]]),
  ...(period === undefined ? [] : [['period', period.from, period.to]]),
  shares.map(({ lineId, amount }) => [lineId, amount.amount]),
];
type StoredTax = {
  category: string;
  rate: string;
  net: Amount;
  tax: Amount;
  lines: string[];
  reason?: { code?: string; name: { zhTW: string; enUS: string } };
};
/** What a bill says of one of its taxes. */
const taxContent = ({ category, rate, net, tax, lines, reason }: StoredTax): unknown[] => [
  category,
  rate,
  net.amount,
  tax.amount,
  lines,
  ...(reason ? [[reason.code ?? '', reason.name.zhTW, reason.name.enUS]] : []),
];
type StoredBill = {
  number: string;
  organization_id: string;
  month: string;
  currency: string;
  buyer: string;
  tax_rate: string;
  net: string;
  tax: string;
  total: string;
  content_hash: string;
  kind: string;
  taxes: string | null;
  used_by: string | null;
  lines: string;
};

/** A bill's content, in the form whose digest was stored with it. */
function contentOf(bill: StoredBill): string {
  // jsonb orders names differently, so they are put back into the order of the digest; missing ones stay
  // missing.
  const { name, taxId, address, email, purchaseOrder, reference, ...more } = JSON.parse(bill.buyer) as Record<
    string,
    unknown
  >;
  const lines = (JSON.parse(bill.lines) as StoredLine[]).map(
    ([
      kind,
      subscription,
      service,
      price,
      quantity,
      unit,
      unitPrice,
      exact,
      minor,
      forMonth,
      charge,
      term,
    ]) => [
      kind,
      subscription,
      service,
      price,
      quantity,
      unit,
      unitPrice,
      exact,
      major(minor, bill.currency),
      ...(forMonth === null ? [] : [forMonth]),
      ...(charge === null ? [] : [[charge.key, charge.name.zhTW, charge.name.enUS]]),
      ...(term === null ? [] : [termContent(term)]),
    ],
  );
  return JSON.stringify([
    bill.number,
    bill.organization_id,
    bill.month,
    bill.currency,
    { name, taxId, address, email, purchaseOrder, reference, ...more },
    bill.tax_rate,
    major(bill.net, bill.currency),
    major(bill.tax, bill.currency),
    major(bill.total, bill.currency),
    lines,
    ...(bill.kind === 'month' ? [] : [bill.kind]),
    ...(bill.taxes === null ? [] : [(JSON.parse(bill.taxes) as StoredTax[]).map(taxContent)]),
    ...(bill.used_by === null ? [] : [['used by', ...(JSON.parse(bill.used_by) as string[])]]),
  ]);
}

/** A database older than terms has none. */
const hasTerms = (books: Books): boolean => books.has('bill_line.term');
const statement = (
  books: Books,
  where: string,
): string => `select number, organization_id, month, currency, buyer::text, tax_rate::text, net_minor::text as net, tax_minor::text as tax, total_minor::text as total, content_hash, ${hasTerms(books) ? 'kind' : `'month'`} as kind, ${books.has('bill.taxes') ? 'taxes::text' : 'null'} as taxes, ${books.has('bill.used_by_id') ? 'case when used_by_id is not null then jsonb_build_array(used_by_id, used_by_name)::text end' : 'null'} as used_by,
    (select coalesce(jsonb_agg(jsonb_build_array(kind, subscription_id, service_name, price_version_id, quantity::text, unit, unit_price::text, exact_amount::text, amount_minor::text, for_month, charge, ${hasTerms(books) ? 'term' : 'null'}) order by position), '[]')::text from bill_line where bill_id = bill.id) as lines
  from bill where ${where} order by id`;

async function run(books: Books): Promise<Outcome> {
  const { add, result } = collector();
  let examined = 0;
  // A cursor takes no parameters, so the id is part of the statement, quoted by the driver.
  const ofOrganization =
    books.organization === null
      ? 'true'
      : owned('organization_id').replaceAll('$1', books.client.escapeLiteral(books.organization));
  for await (const bill of streamOf<StoredBill>(
    books,
    'bills_again',
    statement(books, ofOrganization),
    100,
  )) {
    examined++;
    const digest = createHash('sha256').update(contentOf(bill)).digest('hex');
    if (digest !== bill.content_hash)
      add({ code: 'content_changed', subject: bill.number, expected: bill.content_hash, actual: digest });
  }
  return { examined: String(examined), ...result(), notes: [] };
}

export const contentCheck: Check = {
  id: 'bill-content',
  invariants: ['I5'],
  title: 'Every bill is unchanged since it was issued',
  unit: 'bills',
  isPerOrganization: true,
  run,
};
