// The codes of tax kinds, shared by all formats that follow the Ministry of Finance.
import type { InvoiceToSend, ItemTaxKind } from '../provider.ts';
import { fieldRefused } from './refusals.ts';

/** 課稅別 (MIG 4.1, TaxTypeEnum): 1 應稅, 2 零稅率, 3 免稅. ECPay and ezPay use the same digits. */
export const taxTypes: Readonly<Record<ItemTaxKind, '1' | '2' | '3'>> = {
  taxable: '1',
  zero_rated: '2',
  exempt: '3',
};

/**
 * 通關方式 1, 非經海關出口, and 零稅率原因 72, 與外銷有關之勞務 (MIG 4.1, CustomsClearanceMarkEnum and ZeroTaxRateReasonEnum;
 * Value-added and Non-value-added Business Tax Act, article 7, subparagraph 2): the sales here are services
 * used abroad, never goods.
 */
export const zeroRating = { clearance: '1', reason: '72' } as const;

/**
 * The kind of the whole invoice: 9 if it has both taxable and other items (混合應稅與免稅或零稅率).
 * @throws ProviderRefused when zero-rated and exempt items are mixed, which no platform accepts.
 */
export function invoiceTaxType(invoice: InvoiceToSend): '1' | '2' | '3' | '9' {
  const kinds = new Set(invoice.items.map(({ taxKind }) => taxKind));
  const [only, ...more] = kinds;
  if (only === undefined) throw fieldRefused('missing', 'items', 'an invoice has at least one item');
  if (more.length === 0) return taxTypes[only];
  if (kinds.has('zero_rated') && kinds.has('exempt'))
    throw fieldRefused('wrong', 'items', 'zero-rated and exempt items cannot be on one invoice');
  return '9';
}

export const hasZeroRated = (invoice: InvoiceToSend): boolean =>
  invoice.items.some(({ taxKind }) => taxKind === 'zero_rated');
