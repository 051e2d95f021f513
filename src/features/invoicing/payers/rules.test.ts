import { describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import {
  isBillingChange,
  isChange,
  isConsolidatedAt,
  isPaidSince,
  payerAt,
  payerMistake,
  subscriptionPayerMistake,
  termToStore,
  type PayerTerm,
} from './rules.ts';

const [one, two, three] = ['org_1', 'org_2', 'org_3'] as Id<'org'>[] as [Id<'org'>, Id<'org'>, Id<'org'>];
const month = (text: string): BillingMonth => text as BillingMonth;
const term = (from: string, payerId: Id<'org'> | null): PayerTerm => ({ from: month(from), payerId });
const known = {
  running: month('2024-10'),
  billed: month('2024-08'),
  isPayerPaidFor: false,
  isPayerClosed: false,
  paysForOthers: false,
};
const asked = (from: string, payerId: Id<'org'> | null = two) => ({
  organizationId: one,
  ...term(from, payerId),
});

describe('T-PAYER: the payer of a month', () => {
  it('is the last one set at or before it, in any order of setting; none before the first', () => {
    const terms = [term('2024-11', null), term('2024-09', two), term('2025-02', three)];
    const of = ['2024-08', '2024-09', '2024-10', '2024-11', '2025-01', '2025-02', '2030-01'].map((each) =>
      payerAt(terms, month(each)),
    );
    expect(of).toEqual([null, two, two, null, null, three, three]);
  });

  it('exists for an organization if somebody pays then or later', () => {
    const terms = [term('2024-09', two), term('2024-11', null)];
    expect(['2024-08', '2024-10', '2024-11'].map((each) => isPaidSince(terms, month(each)))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('T-PAYER: a change of payer', () => {
  it('is stored only where it differs from the previous month, and has no effect when repeated', () => {
    const terms = [term('2024-09', two)];
    expect(termToStore(terms, term('2024-11', two))).toBe(null);
    expect(isChange(terms, term('2024-11', two))).toBe(false);
    expect(isChange(terms, term('2024-09', two))).toBe(false);
    expect(isChange(terms, term('2024-11', null))).toBe(true);
    expect(isChange([], term('2024-11', null))).toBe(false);
    // Later changes are replaced.
    expect(isChange([...terms, term('2024-12', null)], term('2024-11', two))).toBe(true);
    expect(termToStore([...terms, term('2024-12', null)], term('2024-12', two))).toBe(null);
  });

  it('is rejected at its field: itself, a closed payer, a payer with a payer, one that pays for others', () => {
    expect(payerMistake(asked('2024-10', one), known)).toEqual({ field: 'payerId', code: 'payers.itself' });
    expect(payerMistake(asked('2024-10'), { ...known, isPayerClosed: true })?.code).toBe(
      'payers.payer_closed',
    );
    // An organization whose payer ended before may pay.
    for (const [ofPayer, expected] of [
      [[term('2024-01', three)], { field: 'payerId', code: 'payers.payer_has_payer' }],
      [[term('2025-03', three)], { field: 'payerId', code: 'payers.payer_has_payer' }],
      [[term('2024-01', three), term('2024-10', null)], undefined],
    ] as const)
      expect(
        payerMistake(asked('2024-10'), { ...known, isPayerPaidFor: isPaidSince(ofPayer, month('2024-10')) }),
      ).toEqual(expected);
    expect(payerMistake(asked('2024-10'), { ...known, paysForOthers: true })).toEqual({
      field: 'organizationId',
      code: 'payers.organization_pays',
    });
    // Paying for itself is always allowed.
    expect(payerMistake(asked('2024-10', null), { ...known, paysForOthers: true })).toBe(undefined);
  });

  it('never affects billed months, and names the first possible month', () => {
    expect(payerMistake(asked('2024-08'), known)).toEqual({
      field: 'from',
      code: 'payers.month_billed',
      month: '2024-09',
    });
    expect(payerMistake(asked('2024-08', null), known)?.code).toBe('payers.month_billed');
    expect(payerMistake(asked('2024-09'), known)).toBe(undefined);
    expect(payerMistake(asked('2023-09'), { ...known, billed: null })).toEqual({
      field: 'from',
      code: 'payers.month_too_early',
      month: '2023-10',
    });
    expect(payerMistake(asked('2023-10'), { ...known, billed: null })).toBe(undefined);
    expect(payerMistake(asked('2026-11'), known)).toEqual({
      field: 'from',
      code: 'payers.month_too_late',
      month: '2026-10',
    });
  });
});

describe('T-PAYER: a payer of one subscription', () => {
  const none = { ...known, ofOrganization: [] };
  const mistake = (from: string, payerId: Id<'org'> | null, more: object = {}) =>
    subscriptionPayerMistake(asked(from, payerId), { ...none, ...more });
  it('is rejected at its field: the user, the general payer, a chain, a closed one, a billed month', () => {
    expect(mistake('2024-10', two)).toBe(undefined);
    expect(mistake('2024-10', one)).toEqual({ field: 'payerId', code: 'payers.uses_it' });
    expect(mistake('2024-10', two, { isPayerClosed: true })?.code).toBe('payers.payer_closed');
    expect(mistake('2024-10', two, { isPayerPaidFor: true })).toEqual({
      field: 'payerId',
      code: 'payers.payer_has_payer',
    });
    expect(mistake('2024-10', two, { paysForOthers: true })).toEqual({
      field: 'subscriptionId',
      code: 'payers.organization_pays',
    });
    expect(mistake('2024-08', two)).toEqual({
      field: 'from',
      code: 'payers.month_billed',
      month: '2024-09',
    });
  });

  it('differs from the organization’s payer in its first month', () => {
    const ofOrganization = [term('2024-09', two), term('2024-12', null)];
    expect(mistake('2024-10', two, { ofOrganization })).toEqual({
      field: 'payerId',
      code: 'payers.pays_anyway',
    });
    expect(mistake('2024-12', two, { ofOrganization })).toBe(undefined);
    expect(mistake('2024-10', three, { ofOrganization })).toBe(undefined);
    // Ending it is always allowed.
    expect(mistake('2024-10', null, { ofOrganization, paysForOthers: true })).toBe(undefined);
  });
});

describe('T-PAYER: consolidated bills from a month on', () => {
  const m = (month: string) => month as BillingMonth;
  const terms = [
    { from: m('2024-11'), isConsolidated: true },
    { from: m('2025-02'), isConsolidated: false },
  ];
  it.each([
    ['2024-10', false],
    ['2024-11', true],
    ['2025-01', true],
    ['2025-02', false],
  ])('in %s: %s', (month, expected) => {
    expect(isConsolidatedAt(terms, m(month))).toBe(expected);
    expect(isConsolidatedAt(terms.toReversed(), m(month))).toBe(expected);
  });
  it.each([
    ['the same setting again', terms, '2025-03', false, false],
    ['a later end', terms, '2024-12', true, true],
    ['the other', terms, '2025-01', false, true],
    ['separate by default', [], '2025-01', false, false],
    ['consolidated by default', [], '2025-01', true, true],
  ] as const)('a change: %s', (_, given, from, isConsolidated, expected) => {
    expect(isBillingChange(given, { from: m(from), isConsolidated })).toBe(expected);
  });
});
