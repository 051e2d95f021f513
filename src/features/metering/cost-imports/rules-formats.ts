// Converts a row of each format to lines. Columns follow FOCUS 1.0 to 1.3 (focus.finops.org), AWS CUR 2.0 and
// the legacy CUR, Azure's cost details for EA and MCA, Google's detailed billing export, and Oracle's cost
// report.
import type { CostFormat, LineKind } from './contract.ts';
import {
  assertPeriod,
  CostRow,
  dayAfter,
  headerOf,
  monthAround,
  RowMistake,
  tagsIn,
  tagsOf,
  within,
  type CostHeader,
  type CostLine,
} from './rules-line.ts';
import { pythonValue } from './rules-python.ts';

const needed: Readonly<Record<CostFormat, readonly (readonly string[])[]>> = {
  focus: [
    ['billedcost'],
    ['billingcurrency'],
    ['billingperiodstart'],
    ['billingperiodend'],
    ['chargeperiodstart'],
    ['chargecategory'],
  ],
  aws_cur: [
    ['lineitemunblendedcost'],
    ['lineitemcurrencycode'],
    ['lineitemusageaccountid'],
    ['lineitemlineitemtype'],
    ['billbillingperiodstartdate'],
    ['lineitemusagestartdate'],
  ],
  gcp: [
    ['cost'],
    ['currency'],
    ['usagestarttime'],
    ['servicedescription'],
    ['projectid', 'billingaccountid'],
  ],
  azure: [
    ['costinbillingcurrency', 'cost', 'pretaxcost'],
    ['billingcurrency', 'billingcurrencycode', 'currency'],
    ['date', 'usagedatetime', 'usagedate'],
    ['metercategory'],
    ['subscriptionid', 'subscriptionguid'],
  ],
  oci: [
    ['costmycost'],
    ['costcurrencycode'],
    ['lineitemintervalusagestart'],
    ['lineitemtenantid'],
    ['productservice'],
  ],
};
/** The currency column of each format; a source's default currency can replace it. */
const currencyColumns: Readonly<Record<CostFormat, readonly string[]>> = {
  focus: ['billingcurrency'],
  aws_cur: ['lineitemcurrencycode'],
  gcp: ['currency'],
  azure: ['billingcurrency', 'billingcurrencycode', 'currency'],
  oci: ['costcurrencycode'],
};

/**
 * Detects the format of a table by its columns, or returns the columns missing from the closest one. The
 * currency column may be missing: its rows then have no currency.
 */
export function formatOf(
  header: CostHeader,
): { readonly format: CostFormat } | { readonly missing: readonly string[] } {
  let nearest: readonly string[] | undefined;
  for (const format of ['focus', 'aws_cur', 'gcp', 'azure', 'oci'] as const) {
    const asked = needed[format].filter(([first]) => first !== currencyColumns[format][0]);
    const missing = asked
      .filter((names) => !names.some((name) => header.columns.has(name)))
      .map(([name]) => name ?? '');
    if (missing.length === 0) return { format };
    if (missing.length < asked.length && (!nearest || missing.length < nearest.length)) nearest = missing;
  }
  return { missing: nearest ?? needed.focus.map(([name]) => name ?? '') };
}

/** Whether a table is the second dataset of FOCUS 1.3, whose rows are contracts rather than charges. */
export const isContractCommitments = (header: CostHeader): boolean =>
  header.columns.has('contractcommitmentid') && header.columns.has('contractcommitmentcost');

/** Converts a row to lines; `assumedCurrency` is the source's, for rows without one. @throws RowMistake */
export function linesOf(
  format: CostFormat,
  header: CostHeader,
  cells: readonly string[],
  assumedCurrency?: string,
): CostLine[] {
  const row = new CostRow(header, cells, { assumedCurrency, ...(format === 'focus' && { nothing: 'NULL' }) });
  switch (format) {
    case 'focus':
      return [focusLine(row)];
    case 'aws_cur':
      return [curLine(row)];
    case 'azure':
      return [azureLine(row)];
    case 'gcp':
      return gcpLines(row);
    case 'oci':
      return [ociLine(row)];
  }
}

const focusKinds: ReadonlyMap<string, LineKind> = new Map([
  ['usage', 'usage'],
  ['purchase', 'purchase'],
  ['tax', 'tax'],
  ['credit', 'credit'],
  ['adjustment', 'adjustment'],
]);

function focusLine(row: CostRow): CostLine {
  const [periodStart, periodEnd] = [row.day('billingperiodstart'), row.day('billingperiodend')];
  assertPeriod(row, periodStart, periodEnd, 'billingperiodend');
  const kind = focusKinds.get(row.text('chargecategory').toLowerCase());
  if (!kind) throw row.mistake('kind', 'chargecategory');
  const billed = row.amount('billedcost');
  const isKnown = (name: string): boolean => row.text(name) !== '';
  return {
    periodStart,
    periodEnd,
    day: within(row.day('chargeperiodstart'), periodStart, periodEnd),
    scope: {
      // FOCUS 1.3 names the service provider and the host provider instead of one provider.
      provider: row.label('providername', 'serviceprovidername', 'publishername', 'invoiceissuername'),
      account: row.label('billingaccountid'),
      subAccount: row.label('subaccountid'),
      subAccountName: row.label('subaccountname'),
      resourceGroup: row.label('xresourcegroupname'),
      tags: tagsOf(row, 'tags'),
    },
    service: row.label('servicename', 'servicecategory'),
    kind,
    ...row.currency(...currencyColumns.focus),
    billed,
    effective: isKnown('effectivecost') ? row.amount('effectivecost') : billed,
    list: isKnown('listcost') ? row.amount('listcost') : billed,
  };
}

/** AWS line item types (CUR user guide, "Line item details"). */
const curKinds: ReadonlyMap<string, LineKind> = new Map([
  ['Usage', 'usage'],
  ['DiscountedUsage', 'usage'],
  ['SavingsPlanCoveredUsage', 'usage'],
  ['SavingsPlanNegation', 'usage'],
  ['Fee', 'purchase'],
  ['RIFee', 'purchase'],
  ['SavingsPlanRecurringFee', 'purchase'],
  ['SavingsPlanUpfrontFee', 'purchase'],
  ['Credit', 'credit'],
  ['Refund', 'refund'],
  ['Tax', 'tax'],
]);
const curKindOf = (type: string): LineKind =>
  curKinds.get(type) ?? (type.endsWith('Discount') ? 'discount' : 'adjustment');

function curLine(row: CostRow): CostLine {
  const periodStart = row.day('billbillingperiodstartdate');
  const periodEnd =
    row.text('billbillingperiodenddate') === ''
      ? monthAround(periodStart).periodEnd
      : row.day('billbillingperiodenddate');
  assertPeriod(row, periodStart, periodEnd, 'billbillingperiodenddate');
  const type = row.text('lineitemlineitemtype');
  const billed = row.amount('lineitemunblendedcost');
  const list =
    row.text('pricingpublicondemandcost') === '' ? billed : row.amount('pricingpublicondemandcost');
  return {
    periodStart,
    periodEnd,
    day: within(row.day('lineitemusagestartdate'), periodStart, periodEnd),
    scope: {
      provider: 'AWS',
      account: row.label('billpayeraccountid'),
      subAccount: row.label('lineitemusageaccountid'),
      subAccountName: row.label('lineitemusageaccountname'),
      resourceGroup: '',
      tags: { ...row.columnTags(), ...tagsOf(row, 'resourcetags', 'tags') },
    },
    service: curService(row),
    kind: curKindOf(type),
    ...row.currency(...currencyColumns.aws_cur),
    billed,
    effective: curEffective(row, type, billed),
    list: curList(type, billed, list),
  };
}

/** CUR 2.0 has the product name in a map, the legacy CUR in a column; the code is always present. */
function curService(row: CostRow): string {
  const name = row.label('productproductname');
  if (name !== '') return name;
  const product = row.text('product');
  if (product !== '') {
    const { product_name: inMap } = tagsOf(row, 'product');
    if (inMap !== undefined && inMap !== '') return inMap;
  }
  return row.label('lineitemproductcode', 'productservicecode');
}

/**
 * The cost of a line with commitments amortized over the usage they cover (AWS, "Understanding your amortized
 * reservation and savings plan data").
 */
function curEffective(row: CostRow, type: string, billed: bigint): bigint {
  switch (type) {
    case 'SavingsPlanCoveredUsage':
      return row.amount('savingsplansavingsplaneffectivecost');
    case 'SavingsPlanNegation':
    case 'SavingsPlanUpfrontFee':
      return 0n;
    case 'SavingsPlanRecurringFee':
      return row.amount('savingsplantotalcommitmenttodate') - row.amount('savingsplanusedcommitment');
    case 'DiscountedUsage':
      return row.amount('reservationeffectivecost');
    case 'RIFee':
      return (
        row.amount('reservationunusedamortizedupfrontfeeforbillingperiod') +
        row.amount('reservationunusedrecurringfee')
      );
    case 'Fee':
      // A reservation's upfront fee is spread over its usage.
      return row.text('reservationreservationarn') === '' ? billed : 0n;
    default:
      return billed;
  }
}

/** At list prices there are no commitments: their fees and the negations of covered usage count nothing. */
function curList(type: string, billed: bigint, list: bigint): bigint {
  if (/^(SavingsPlanNegation|SavingsPlanRecurringFee|SavingsPlanUpfrontFee|RIFee)$/.test(type)) return 0n;
  return curKindOf(type) === 'usage' ? list : billed;
}

const azureKinds: ReadonlyMap<string, LineKind> = new Map([
  ['usage', 'usage'],
  ['purchase', 'purchase'],
  ['refund', 'refund'],
  ['tax', 'tax'],
  ['credit', 'credit'],
  ['unusedreservation', 'usage'],
  ['unusedsavingsplan', 'usage'],
  ['roundingadjustment', 'adjustment'],
  ['adjustment', 'adjustment'],
]);

function azureLine(row: CostRow): CostLine {
  const day = row.day('date', 'usagedatetime', 'usagedate');
  const hasPeriod = row.text('billingperiodstartdate') !== '' && row.text('billingperiodenddate') !== '';
  // Azure's last day is inclusive.
  const { periodStart, periodEnd } = hasPeriod
    ? {
        periodStart: row.day('billingperiodstartdate'),
        periodEnd: dayAfter(row.day('billingperiodenddate'), 1),
      }
    : monthAround(day);
  assertPeriod(row, periodStart, periodEnd, 'billingperiodenddate');
  const type = row.text('chargetype').toLowerCase();
  const kind = type === '' ? 'usage' : azureKinds.get(type);
  if (!kind) throw row.mistake('kind', 'chargetype');
  const billed = row.amount('costinbillingcurrency', 'cost', 'pretaxcost');
  return {
    periodStart,
    periodEnd,
    day: within(day, periodStart, periodEnd),
    scope: {
      provider: 'Microsoft',
      account: row.label('billingaccountid', 'enrollmentnumber', 'billingaccountname'),
      subAccount: row.label('subscriptionid', 'subscriptionguid'),
      subAccountName: row.label('subscriptionname'),
      resourceGroup: row.label('resourcegroup', 'resourcegroupname'),
      tags: tagsOf(row, 'tags'),
    },
    service: row.label('metercategory', 'consumedservice', 'publishername'),
    kind,
    ...row.currency(...currencyColumns.azure),
    billed,
    // The amortized dataset has the same columns as the actual one; the operator chose which of them a file
    // is.
    effective: billed,
    list: row.text('paygcostinbillingcurrency') === '' ? billed : row.amount('paygcostinbillingcurrency'),
  };
}

const gcpKinds: ReadonlyMap<string, LineKind> = new Map([
  ['regular', 'usage'],
  ['tax', 'tax'],
  ['adjustment', 'adjustment'],
  ['rounding_error', 'adjustment'],
]);

/** Google lists a row's credits in an array; each becomes its own line. */
function gcpLines(row: CostRow): CostLine[] {
  const start = row.day('usagestarttime');
  const invoiced = /^(\d{4})(\d{2})$/.exec(row.text('invoicemonth'));
  const { periodStart, periodEnd } = monthAround(invoiced ? `${invoiced[1]}-${invoiced[2]}-01` : start);
  assertPeriod(row, periodStart, periodEnd, 'invoicemonth');
  const type = row.text('costtype').toLowerCase();
  const kind = type === '' ? 'usage' : gcpKinds.get(type);
  if (!kind) throw row.mistake('kind', 'costtype');
  const billed = row.amount('cost');
  const line: CostLine = {
    periodStart,
    periodEnd,
    day: within(start, periodStart, periodEnd),
    scope: {
      provider: 'Google Cloud',
      account: row.label('billingaccountid'),
      subAccount: row.label('projectid'),
      subAccountName: row.label('projectname'),
      resourceGroup: '',
      tags: { ...tagsOf(row, 'projectlabels'), ...tagsOf(row, 'labels') },
    },
    service: row.label('servicedescription', 'serviceid'),
    kind,
    ...row.currency(...currencyColumns.gcp),
    billed,
    effective: billed,
    list: row.text('costatlist') === '' ? billed : row.amount('costatlist'),
  };
  return [line, ...creditsIn(row).map((credit) => ({ ...line, ...credit }))];
}

function creditsIn(row: CostRow): Pick<CostLine, 'kind' | 'billed' | 'effective' | 'list'>[] {
  const text = row.text('credits');
  if (text === '' || text === '[]') return [];
  const credits = exactJson(text) ?? pythonValue(text);
  if (!Array.isArray(credits)) throw row.mistake('json', 'credits');
  return credits.map((credit: unknown) => {
    const { amount, type, name } = typeof credit === 'object' && credit !== null ? tagsIn(credit) : {};
    const only = new CostRow(amountHeader, [amount ?? '']);
    let billed: bigint;
    try {
      billed = only.amount('amount');
    } catch (error) {
      if (error instanceof RowMistake) throw row.mistake('amount', 'credits');
      throw error;
    }
    const isPromotion = /PROMOTION|FREE_TIER|FREE_TRIAL/.test(type ?? name ?? '');
    // At list prices there are no price reductions, but a promotion is still money.
    return {
      kind: isPromotion ? 'credit' : 'discount',
      billed,
      effective: billed,
      list: isPromotion ? billed : 0n,
    };
  });
}
const amountHeader = headerOf(['amount']);

/**
 * A row of Oracle's cost report ("Cost and Usage Reports", cost report schema). Its overage columns show how
 * much of the cost exceeds a commitment and are not added to it. It has no list price.
 */
function ociLine(row: CostRow): CostLine {
  const day = row.day('lineitemintervalusagestart');
  const billed = row.amount('costmycost');
  return {
    ...monthAround(day),
    day,
    scope: {
      provider: 'Oracle',
      account: row.label('lineitemtenantid'),
      subAccount: row.label('productcompartmentid'),
      subAccountName: row.label('productcompartmentname'),
      resourceGroup: '',
      tags: row.columnTags(),
    },
    service: row.label('productservice', 'productdescription'),
    kind: row.text('lineitemiscorrection').toLowerCase() === 'true' ? 'adjustment' : 'usage',
    ...row.currency(...currencyColumns.oci),
    billed,
    effective: billed,
    list: billed,
  };
}

/** Parses JSON and keeps numbers as the texts they were written as. */
export function exactJson(text: string): unknown {
  try {
    return JSON.parse(text, (_key: string, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' ? (context?.source ?? String(value)) : value,
    ) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Flattens a nested record: `{ service: { description } }` becomes `service.description`; lists stay JSON.
 */
export function flattened(record: object, before = '', depth = 0): [string, string][] {
  return Object.entries(record).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    const path = before === '' ? name : `${before}.${name}`;
    if (value === null || value === undefined) return [];
    if (
      typeof value === 'object' &&
      !Array.isArray(value) &&
      !(value instanceof Date) &&
      depth < 4 &&
      !isMap(name)
    )
      return flattened(value, path, depth + 1);
    return [[path, textOf(value)]];
  });
}
/** Whether a field is a map with arbitrary keys, which stays one column. */
const isMap = (name: string): boolean =>
  /^(tags|labels|resource_?tags|product|cost_?category|discount)$/i.test(name);

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  return (
    JSON.stringify(value, (_key: string, each: unknown) =>
      typeof each === 'bigint' ? each.toString() : each,
    ) ?? ''
  );
}
