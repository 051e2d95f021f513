// Rules of imports: converts a row of a FOCUS file, or gives the reason for its rejection.
import { decimal, decimalText, type Decimal } from '#kernel/decimal.ts';
import { isCurrency, type Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { administrationErrors } from './contract.ts';

/** Columns of FOCUS 1.0 without which no row can be billed (https://focus.finops.org). */
export const neededColumns = [
  'BillingCurrency',
  'BillingPeriodStart',
  'ChargeCategory',
  'ChargePeriodStart',
  'ListUnitPrice',
  'PricingQuantity',
  'PricingUnit',
  'ProviderName',
  'ServiceName',
  'SkuId',
  'SubAccountId',
] as const;

/** A row of the file: column → text. */
export type FocusRow = Readonly<Record<string, string>>;

/** A usage row: the data for its organization, service, price, subscription and event. */
export type FocusUsage = FocusAccount & {
  readonly source: string;
  readonly month: BillingMonth;
  /** The provider's service, which becomes a service with a charge for each SKU. */
  readonly providerServiceRef: string;
  readonly providerService: string;
  /** The SKU and its price's number as one text, as in events. */
  readonly sku: string;
  readonly skuName: string;
  /** The service for this SKU only, as created by imports before rate cards. */
  readonly serviceRef: string;
  readonly serviceName: string;
  readonly serviceType: string;
  readonly serviceCategory: string;
  readonly description: string;
  readonly unit: string;
  readonly unitPrice: string;
  readonly currency: Currency;
  readonly periodStart: Date;
  readonly time: Date;
  readonly quantity: string;
  readonly listCost: string;
  /** Quantity × unit price, exactly. */
  readonly exactCost: string;
  readonly properties: Readonly<Record<string, string>> | null;
};
/** The sub-account of a row, which becomes an organization. */
export type FocusAccount = { readonly organizationRef: string; readonly organizationName: string };
export type RowRejection = {
  readonly code: keyof typeof administrationErrors & string;
  readonly source: string;
  readonly month: BillingMonth | null;
  readonly currency: string;
  readonly listCost: string | null;
  readonly account: FocusAccount | null;
};

/** FOCUS writes a missing value as NULL or as an empty text. */
const present = (text: string | undefined): string | undefined =>
  text === undefined || text === '' || text === 'NULL' ? undefined : text;
const pricePattern = /^\d{1,24}(\.\d{1,12})?$/;
const numberPattern = /^-?\d+(\.\d+)?$/;

/**
 * Parses a FOCUS date-time: "2024-09-18 22:00:00" or ISO 8601; without a zone it is UTC, as FOCUS defines.
 */
export function focusTime(text: string | undefined): Date | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/.exec(text ?? '');
  if (!match) return undefined;
  const time = new Date(`${match[1]}T${match[2]}${match[3] ?? ''}${match[4] ?? 'Z'}`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

const cut = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
/**
 * Converts a number of the file to the API's format, without trailing zeros; undefined when it has more than
 * 12 fraction digits.
 */
function wireDecimal(text: string | undefined): string | undefined {
  if (text === undefined || !numberPattern.test(text)) return undefined;
  const trimmed = decimalText(decimal(text));
  return (trimmed.split('.')[1]?.length ?? 0) <= 12 ? trimmed : undefined;
}

/**
 * Converts a row. Only charges of category Usage with a list price, a quantity, a currency and a time become
 * usage.
 */
export function readFocusRow(row: FocusRow): FocusUsage | RowRejection {
  const provider = present(row['ProviderName']) ?? 'unknown';
  const source = `focus:${cut(provider, 200)}`;
  const time = focusTime(row['ChargePeriodStart']);
  const month = time ? (time.toISOString().slice(0, 7) as BillingMonth) : null;
  const currency = present(row['BillingCurrency']) ?? '';
  const cost = present(row['ListCost']);
  const listCost = cost !== undefined && numberPattern.test(cost) ? decimalText(decimal(cost)) : null;
  const subAccount = present(row['SubAccountId']);
  const account =
    subAccount === undefined
      ? null
      : {
          organizationRef: `focus:${provider}:${subAccount}`,
          organizationName: cut(present(row['SubAccountName']) ?? subAccount, 160),
        };
  const rejection = (code: RowRejection['code']): RowRejection => ({
    code,
    source,
    month,
    currency,
    listCost,
    account,
  });
  const sku = present(row['SkuId']);
  if (row['ChargeCategory'] !== 'Usage') return rejection('administration.row_no_usage');
  const unitPrice = wireDecimal(present(row['ListUnitPrice']));
  if (unitPrice === undefined || !pricePattern.test(unitPrice) || !sku)
    return rejection('administration.row_no_price');
  const quantity = wireDecimal(present(row['PricingQuantity']));
  if (quantity === undefined) return rejection('administration.row_no_quantity');
  if (!account) return rejection('administration.row_no_account');
  if (!isCurrency(currency)) return rejection('administration.row_currency_unknown');
  const periodStart = focusTime(row['BillingPeriodStart']);
  if (!time || !periodStart || !month) return rejection('administration.row_time_invalid');
  const description = present(row['ChargeDescription']) ?? '';
  const serviceName = present(row['ServiceName']) ?? sku;
  const properties = Object.fromEntries(
    [
      ['region', present(row['RegionId'])],
      ['resource', present(row['ResourceId'])],
    ].filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return {
    source,
    month,
    ...account,
    providerServiceRef: `focus-service:${provider}:${serviceName}`,
    providerService: cut(serviceName, 150),
    sku: cut(skuText(sku, present(row['SkuPriceId'])), longestSku),
    skuName: cut(description || sku, 120),
    serviceRef: `focus:${provider}:${sku}:${present(row['SkuPriceId']) ?? ''}`,
    serviceName: cut(description ? `${serviceName}: ${description}` : `${serviceName}: ${sku}`, 160),
    serviceType: cut(present(row['ServiceCategory']) ?? 'Other', 80),
    serviceCategory: cut(provider, 80),
    description: cut(description, 2000),
    unit: cut(present(row['PricingUnit']) ?? 'Units', 60),
    unitPrice,
    currency,
    periodStart: periodStart < time ? periodStart : time,
    time,
    quantity,
    listCost: listCost ?? decimalText(exact(quantity, unitPrice)),
    exactCost: decimalText(exact(quantity, unitPrice)),
    properties: Object.keys(properties).length > 0 ? properties : null,
  };
}

/**
 * Values of dimensions are limited to this many characters; SKUs with the same prefix are distinguished by
 * their prices.
 */
const longestSku = 100;
/** A provider's price number usually begins with its SKU; together they identify what is sold. */
const skuText = (sku: string, price: string | undefined): string =>
  price === undefined || price === sku ? sku : price.startsWith(`${sku}.`) ? price : `${sku}:${price}`;

const exact = (quantity: string, unitPrice: string): Decimal => decimal(quantity).times(decimal(unitPrice));

/** Whether a row was rejected. */
export function isRowRejection(read: FocusUsage | RowRejection): read is RowRejection {
  return 'code' in read;
}
