import { describe, expect, it } from 'vitest';
import { problemsOf } from '#platform/web/form/test-problems.ts';
import type { Settings } from '../contract.ts';
import { billingSection, quotaSection } from './settings-values.ts';

const settings = {
  taxRate: '5',
  dueDays: 30,
  graceHours: 72,
  packKeepDays: 7,
  quotaWarningPercent: 85,
  quotaCriticalPercent: 95,
} as Settings;
const problems = (schema: typeof billingSection.schema | typeof quotaSection.schema, values: object) => {
  return problemsOf(schema, values) ?? 'fine';
};

describe('R-ADM-03 typed settings', () => {
  it('are converted', () => {
    expect(billingSection.changeOf(billingSection.valuesOf(settings))).toEqual({
      taxRate: '5',
      dueDays: 30,
      graceHours: 72,
      packKeepDays: 7,
    });
    expect(quotaSection.changeOf(quotaSection.valuesOf(settings))).toEqual({
      quotaWarningPercent: 85,
      quotaCriticalPercent: 95,
    });
  });
  it.each<[object, unknown]>([
    [{}, 'fine'],
    [{ dueDays: '366' }, { dueDays: 'administration.whole_number?min=0&max=365' }],
    [{ dueDays: '1.5' }, { dueDays: 'administration.whole_number?min=0&max=365' }],
    [{ taxRate: '101' }, { taxRate: 'administration.tax_rate_invalid' }],
    [{ taxRate: '' }, { taxRate: 'form.required' }],
    [{ packKeepDays: '0' }, { packKeepDays: 'administration.whole_number?min=1&max=90' }],
  ])('billing %j', (change, expected) =>
    expect(problems(billingSection.schema, { ...billingSection.valuesOf(settings), ...change })).toEqual(
      expected,
    ),
  );
  it.each<[object, unknown]>([
    [{}, 'fine'],
    [{ quotaWarningPercent: '95' }, { quotaWarningPercent: 'administration.thresholds_crossed' }],
    [{ quotaWarningPercent: '0' }, { quotaWarningPercent: 'administration.whole_number?min=1&max=100' }],
  ])('R-USE-04 thresholds %j', (change, expected) =>
    expect(problems(quotaSection.schema, { ...quotaSection.valuesOf(settings), ...change })).toEqual(
      expected,
    ),
  );
});
