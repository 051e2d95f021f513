// Bills in the columns of FOCUS 1.2: every column is checked against the standard's requirements for it
// (shortened; https://github.com/FinOps-Open-Cost-and-Usage-Spec/FOCUS_Spec, specification/columns), for
// every kind of charge.
import { describe, expect, test } from 'vitest';
import { money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { FocusColumn } from '#features/metering/insights/rules.ts';
import { lineKinds } from './contract.ts';
import { focusOfCharge, type BilledCharge } from './rules-focus.ts';

type Row = Readonly<Record<FocusColumn, string>>;
const kinds = [...lineKinds, 'tax'] as const;
const ofCommitments: ReadonlySet<BilledCharge['kind']> = new Set([
  'committed_rate',
  'overage_rate',
  'true_up',
]);
const charge = (
  kind: BilledCharge['kind'],
  takenBack: BilledCharge['takenBack'],
  isDrawn = false,
): BilledCharge => ({
  kind,
  takenBack,
  amount: money(takenBack === null ? 1280n : -300n, 'TWD'),
  quantity: '820',
  unit: 'GB',
  subscriptionId: kind === 'tax' ? '' : 'sub_1',
  forMonth: kind === 'adjustment' || takenBack !== null ? ('2024-09' as BillingMonth) : null,
  service:
    kind === 'tax'
      ? { id: '', name: '', charge: null, type: '', category: '', tags: [] }
      : ofCommitments.has(kind)
        ? { id: 'cmt_1', name: '', charge: 'Yearly', type: '', category: '', tags: [] }
        : {
            id: 'svc_1',
            name: 'Storage',
            charge: null,
            type: 'Storage',
            category: 'Storage',
            tags: ['prod'],
          },
  bill: {
    number: takenBack === 'credit_note' ? 'C-202410-000001' : 'B-202410-000001',
    periodStart: new Date('2024-09-30T16:00:00Z'),
    periodEnd: new Date('2024-10-31T16:00:00Z'),
    timeZone: 'Asia/Taipei',
  },
  account: { id: 'org_1', name: 'One' },
  commitment: isDrawn
    ? { id: 'cmt_1', name: 'Yearly', drawn: takenBack === null ? money(1000n, 'TWD') : null }
    : null,
  issuer: 'Skytally',
});
const rows: readonly [string, BilledCharge, Row][] = kinds.flatMap((kind) =>
  ([null, 'credit_note', 'void'] as const).flatMap((takenBack) =>
    (ofCommitments.has(kind) ? [false] : [false, true]).map((isDrawn): [string, BilledCharge, Row] => [
      `${kind} ${takenBack ?? 'charged'}${isDrawn ? ' that drew of a commitment' : ''}`,
      charge(kind, takenBack, isDrawn),
      focusOfCharge(charge(kind, takenBack, isDrawn)),
    ]),
  ),
);
/** Usage that used a commitment; a fee that did is a purchase of something else. */
const isDrawing = ({ kind, commitment }: BilledCharge): boolean =>
  commitment !== null && (kind === 'usage' || kind === 'adjustment');

const isCorrection = (row: Row): boolean => row.ChargeClass === 'Correction';
const isOfCommitment = (kind: BilledCharge['kind']): boolean => ofCommitments.has(kind);
const isSold = (row: Row): boolean => row.ChargeCategory === 'Usage' || row.ChargeCategory === 'Purchase';
const isMoment = (value: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value);
const isNumber = (value: string): boolean => /^-?\d+(\.\d+)?$/.test(value);

/** A column, the standard's requirement, and whether a row meets it. */
const rules: readonly [FocusColumn, string, (row: Row, of: BilledCharge) => boolean][] = [
  [
    'BilledCost',
    'MUST be a valid numeric value of type Decimal, denominated in the BillingCurrency, and MUST NOT be null',
    (row) => isNumber(row.BilledCost),
  ],
  ['EffectiveCost', 'MUST NOT be null; MUST be of type Decimal', (row) => isNumber(row.EffectiveCost)],
  ['ListCost', 'MUST NOT be null', (row) => isNumber(row.ListCost)],
  ['ContractedCost', 'MUST NOT be null', (row) => isNumber(row.ContractedCost)],
  ['BillingAccountId', 'MUST NOT be null', (row) => row.BillingAccountId !== ''],
  [
    'BillingCurrency',
    'MUST NOT be null; MUST conform to currency format',
    (row) => /^[A-Z]{3}$/.test(row.BillingCurrency),
  ],
  [
    'BillingPeriodStart',
    'MUST NOT be null; MUST be of type Date/Time',
    (row) => isMoment(row.BillingPeriodStart),
  ],
  [
    'BillingPeriodEnd',
    'MUST NOT be null; the exclusive end bound',
    (row) => isMoment(row.BillingPeriodEnd) && row.BillingPeriodEnd > row.BillingPeriodStart,
  ],
  [
    'ChargePeriodStart',
    'MUST NOT be null; MUST be of type Date/Time',
    (row) => isMoment(row.ChargePeriodStart),
  ],
  [
    'ChargePeriodEnd',
    'MUST NOT be null; the exclusive end bound',
    (row) => isMoment(row.ChargePeriodEnd) && row.ChargePeriodEnd > row.ChargePeriodStart,
  ],
  [
    'ChargeCategory',
    'MUST NOT be null; MUST be one of the allowed values',
    (row) => ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment'].includes(row.ChargeCategory),
  ],
  [
    'ChargeClass',
    'MUST be "Correction" when ChargeClass is not null',
    (row) => row.ChargeClass === '' || isCorrection(row),
  ],
  [
    'ChargeClass',
    'MUST NOT be null when the row represents a correction to a previously invoiced billing period',
    (row, of) => isCorrection(row) === (of.kind === 'adjustment' || of.takenBack !== null),
  ],
  [
    'ChargeDescription',
    'a self-contained summary; SHOULD NOT be null',
    (row) => row.ChargeDescription !== '',
  ],
  [
    'ChargeFrequency',
    'MUST be one of the allowed values',
    (row) => ['One-Time', 'Recurring', 'Usage-Based'].includes(row.ChargeFrequency),
  ],
  [
    'ChargeFrequency',
    'When ChargeCategory is "Purchase", ChargeFrequency MUST NOT be "Usage-Based"',
    (row) => row.ChargeCategory !== 'Purchase' || row.ChargeFrequency !== 'Usage-Based',
  ],
  [
    'BillingAccountName',
    'MUST NOT be null when the provider supports assigning a display name',
    (row) => row.BillingAccountName !== '',
  ],
  [
    'SkuId',
    'MUST NOT be null when ChargeClass is not "Correction" and ChargeCategory is "Usage" or "Purchase", MUST be null when ChargeCategory is "Tax"',
    (row) =>
      row.ChargeCategory === 'Tax' ? row.SkuId === '' : !isSold(row) || isCorrection(row) || row.SkuId !== '',
  ],
  [
    'PricingCategory',
    'MUST be "Standard" when pricing is predetermined at the agreed upon rate, "Committed" when it is subject to a commitment',
    (row) =>
      ['', row.CommitmentDiscountStatus === '' ? 'Standard' : 'Committed'].includes(row.PricingCategory),
  ],
  [
    'EffectiveCost',
    'MUST match the BilledCost when nothing is amortized',
    (row) => row.EffectiveCost === row.BilledCost,
  ],
  [
    'ContractedCost',
    'MUST match the BilledCost of a charge unrelated to other charges; defaults to the ListCost without negotiated discounts',
    (row, { kind }) =>
      kind === 'discount' ||
      kind === 'promotional_credit' ||
      kind === 'committed_rate' ||
      kind === 'overage_rate'
        ? true
        : row.ContractedCost === row.BilledCost && row.ListCost === row.BilledCost,
  ],
  [
    'ListCost',
    'MUST reflect no discounts; ContractedCost MUST reflect negotiated ones, and no credit that was given away',
    (row, { kind }) =>
      kind === 'discount' || kind === 'committed_rate' || kind === 'overage_rate'
        ? row.ListCost === '0' && row.ContractedCost === row.BilledCost
        : kind !== 'promotional_credit' || (row.ListCost === '0' && row.ContractedCost === '0'),
  ],
  [
    'ChargeCategory',
    'MUST be "Credit" for vouchers, discounts and promotional credit, and for nothing else',
    (row, { kind }) =>
      (row.ChargeCategory === 'Credit') === (kind === 'discount' || kind === 'promotional_credit'),
  ],
  [
    'ConsumedQuantity',
    'MUST NOT be null if ChargeCategory is "Usage" and ChargeClass is not "Correction"; MUST be null in all other cases but corrections of usage',
    (row) =>
      row.ChargeCategory !== 'Usage'
        ? row.ConsumedQuantity === ''
        : isCorrection(row) || isNumber(row.ConsumedQuantity) !== (row.CommitmentDiscountStatus === 'Unused'),
  ],
  [
    'ConsumedUnit',
    'MUST NOT be null if ChargeCategory is "Usage" and ChargeClass is not "Correction"; MUST be null in all other cases but corrections of usage',
    (row) =>
      row.ChargeCategory !== 'Usage'
        ? row.ConsumedUnit === ''
        : isCorrection(row) || (row.ConsumedUnit !== '') !== (row.CommitmentDiscountStatus === 'Unused'),
  ],
  [
    'InvoiceId',
    'MUST NOT be null when the charge is associated with an issued invoice',
    (row, of) => row.InvoiceId === of.bill.number,
  ],
  ['InvoiceIssuerName', 'MUST NOT be null', (row) => row.InvoiceIssuerName !== ''],
  ['ProviderName', 'MUST NOT be null', (row) => row.ProviderName !== ''],
  ['PublisherName', 'MUST NOT be null', (row) => row.PublisherName !== ''],
  [
    'PricingCategory',
    'MUST NOT be null when ChargeClass is not "Correction" and ChargeCategory is "Usage" or "Purchase", MUST be null when ChargeCategory is "Tax"',
    (row) =>
      row.ChargeCategory === 'Tax'
        ? row.PricingCategory === ''
        : !isSold(row) || isCorrection(row) || row.PricingCategory !== '',
  ],
  [
    'PricingQuantity',
    'MUST be null when ChargeCategory is "Tax"; MUST NOT be null when ChargeCategory is "Usage" or "Purchase" and ChargeClass is not "Correction"',
    (row) =>
      row.ChargeCategory === 'Tax'
        ? row.PricingQuantity === ''
        : !isSold(row) || isCorrection(row) || isNumber(row.PricingQuantity),
  ],
  [
    'PricingUnit',
    'MUST NOT be null when ChargeClass is not "Correction" and ChargeCategory is "Usage" or "Purchase", MUST be null when ChargeCategory is "Tax"',
    (row) =>
      row.ChargeCategory === 'Tax'
        ? row.PricingUnit === ''
        : !isSold(row) || isCorrection(row) || row.PricingUnit !== '',
  ],
  [
    'ServiceCategory',
    'MUST NOT be null; MUST be one of the allowed values',
    (row) => ['Storage', 'Other'].includes(row.ServiceCategory),
  ],
  [
    'CommitmentDiscountId',
    'MUST NOT be null when the charge is related to a commitment, and MUST be null when it is not',
    (row, of) => (row.CommitmentDiscountId !== '') === (isOfCommitment(of.kind) || isDrawing(of)),
  ],
  [
    'CommitmentDiscountStatus',
    'MUST be "Used" or "Unused" when CommitmentDiscountId is not null and ChargeCategory is "Usage", and null otherwise',
    (row, of) =>
      row.CommitmentDiscountStatus === (of.kind === 'true_up' ? 'Unused' : isDrawing(of) ? 'Used' : ''),
  ],
  [
    'CommitmentDiscountCategory',
    'MUST be "Usage" or "Spend" when CommitmentDiscountId is not null, and null otherwise',
    (row) => row.CommitmentDiscountCategory === (row.CommitmentDiscountId === '' ? '' : 'Spend'),
  ],
  [
    'CommitmentDiscountType',
    'MUST be null when CommitmentDiscountId is null and MUST NOT be null otherwise',
    (row) => (row.CommitmentDiscountType === '') === (row.CommitmentDiscountId === ''),
  ],
  [
    'CommitmentDiscountName',
    'MUST be null when CommitmentDiscountId is null',
    (row) => row.CommitmentDiscountName === (row.CommitmentDiscountId === '' ? '' : 'Yearly'),
  ],
  [
    'CommitmentDiscountQuantity',
    'MUST NOT be null when a commitment was used or not used and nothing is taken back; MUST be of type Decimal',
    (row, { takenBack }) =>
      isNumber(row.CommitmentDiscountQuantity) ===
      (row.CommitmentDiscountStatus !== '' && takenBack === null),
  ],
  [
    'CommitmentDiscountUnit',
    'MUST NOT be null when CommitmentDiscountQuantity is not null, and null otherwise',
    (row) => (row.CommitmentDiscountUnit === '') === (row.CommitmentDiscountQuantity === ''),
  ],
  ['ServiceName', 'MUST NOT be null', (row) => row.ServiceName !== ''],
  ['Tags', 'MUST be in key-value format', (row) => typeof JSON.parse(row.Tags) === 'object'],
];

describe('R-BILL-05: FOCUS 1.2, column by column', () => {
  test.each(rules)('%s: %s', (column, _words, holds) => {
    for (const [name, of, row] of rows)
      expect(holds(row, of), `${name}: ${column} is ${JSON.stringify(row[column])}`).toBe(true);
  });

  test('a reversal has a negative cost, is listed once, without a quantity, for the month that it had been charged for', () => {
    for (const [, of, row] of rows.filter(([, each]) => each.takenBack !== null)) {
      expect([
        row.BilledCost,
        row.ChargeFrequency,
        row.ConsumedQuantity,
        row.PricingQuantity,
        row.ChargePeriodStart,
        row.InvoiceId,
      ]).toEqual(['-300', 'One-Time', '', '', '2024-08-31T16:00:00Z', of.bill.number]);
    }
  });
});
