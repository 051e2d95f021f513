// Lines of each cloud's export, from rows with its published columns.
import { describe, expect, test } from 'vitest';
import { costText, costUnits } from './rules-exact.ts';
import { exactJson, flattened, formatOf, linesOf } from './rules-formats.ts';
import { dayOfText, headerOf, RowMistake, type CostLine } from './rules-line.ts';
import { pythonValue } from './rules-python.ts';
import type { CostFormat } from './contract.ts';

const read = (row: Readonly<Record<string, string>>): CostLine[] => {
  const header = headerOf(Object.keys(row));
  const found = formatOf(header);
  if ('missing' in found) throw new Error(`missing ${found.missing.join()}`);
  return linesOf(found.format, header, Object.values(row));
};
const formatIn = (row: Readonly<Record<string, string>>): CostFormat | undefined => {
  const found = formatOf(headerOf(Object.keys(row)));
  return 'format' in found ? found.format : undefined;
};
const only = (row: Readonly<Record<string, string>>): CostLine => {
  const [line, ...more] = read(row);
  if (!line || more.length > 0) throw new Error('one line was expected');
  return line;
};
const amounts = (line: CostLine): string[] => [line.billed, line.effective, line.list].map(costText);

const focus = {
  BilledCost: '0.00000080000',
  EffectiveCost: 'NULL',
  ListCost: '0.1',
  BillingCurrency: 'USD',
  BillingPeriodStart: '2024-09-01 00:00:00',
  BillingPeriodEnd: '2024-10-01 00:00:00',
  ChargePeriodStart: '2024-09-18 22:00:00',
  ChargeCategory: 'Usage',
  ProviderName: 'AWS',
  BillingAccountId: '1',
  SubAccountId: '2',
  SubAccountName: 'NULL',
  ServiceName: 'Amazon S3',
  Tags: '{"b": "2", "a": "1"}',
};
const cur = {
  bill_billing_period_start_date: '2024-09-01T00:00:00.000Z',
  bill_billing_period_end_date: '2024-10-01T00:00:00.000Z',
  bill_payer_account_id: '111',
  line_item_usage_account_id: '222',
  line_item_usage_account_name: 'shop',
  line_item_line_item_type: 'Usage',
  line_item_usage_start_date: '2024-09-30T23:00:00.000Z',
  line_item_product_code: 'AmazonEC2',
  line_item_unblended_cost: '1.5',
  line_item_currency_code: 'USD',
  pricing_public_on_demand_cost: '2.5',
  product: '{"product_name":"Amazon Elastic Compute Cloud"}',
  resource_tags: '{"user_env":"prod"}',
  savings_plan_savings_plan_effective_cost: '0.9',
  savings_plan_total_commitment_to_date: '10',
  savings_plan_used_commitment: '7.5',
  reservation_effective_cost: '0.4',
};

describe('exact amounts', () => {
  test.each([
    ['0.00000000000', '0'],
    ['1e-7', '0.0000001'],
    ['-2.61370000000', '-2.6137'],
    ['1234567890123456789.123456789012345678', '1234567890123456789.123456789012345678'],
    ['0.0000000000000000005', '0.000000000000000001'],
    ['-0.0000000000000000004', '0'],
    ['2.5E3', '2500'],
    ['.5', '0.5'],
    ['', '0'],
  ])('%s is %s', (text, exact) => expect(costText(costUnits(text) ?? -1n)).toBe(exact));
  test.each(['1,5', 'abc', '.', '-', '1e999', '0x1', 'NaN', 'Infinity', '1 2'])('%s is rejected', (text) =>
    expect(costUnits(text)).toBeUndefined(),
  );
});

describe('days', () => {
  test.each([
    ['2024-09-01', '2024-09-01'],
    ['2024-09-01T23:30:00Z', '2024-09-01'],
    ['2024-09-01T23:30:00.000Z', '2024-09-01'],
    ['2024-09-01T23:30:00-02:00', '2024-09-02'],
    ['2024-09-01 00:00:00 UTC', '2024-09-01'],
    ['2024-09-01 07:00:00+0800', '2024-08-31'],
    ['09/30/2024', '2024-09-30'],
    ['9/3/2024', '2024-09-03'],
    ['4/1/25', '2025-04-01'],
  ])('%s is %s in UTC', (text, day) => expect(dayOfText(text)).toBe(day));
  test.each([
    '2024-02-30',
    '30/09/2024',
    '4/1/5',
    '4/31/25',
    '2024-9-1',
    'soon',
    '',
    '2024-09-01T25:00:00+01:00',
  ])('%s is rejected', (text) => expect(dayOfText(text)).toBeUndefined());
});

describe('columns changed by spreadsheets', () => {
  test.each([
    ['$10,000.00 ', '10000'],
    ['-$5', '-5'],
    ['$-5.5', '-5.5'],
    ['$1,500', '1500'],
    ['1,234,567.89', '1234567.89'],
  ])('T-COST: %s is %s', (BilledCost, exact) =>
    expect(amounts(only({ ...focus, BilledCost }))[0]).toBe(exact),
  );
  test.each(['1,500', '1.500,00', '$1,50', '-$-5', '$', '1,2345.6'])(
    'T-COST: %s is ambiguous, and rejected',
    (BilledCost) =>
      expect(() => read({ ...focus, BilledCost })).toThrow(
        expect.objectContaining({ rule: 'amount', column: 'BilledCost' }) as unknown as RowMistake,
      ),
  );
});

describe('Python literals', () => {
  test.each([
    ['[{\'a\': None, "b": True}]', [{ a: null, b: true }]],
    ["{'n': -5e-06, 'it\\'s': 'x\\u00e9\\n'}", { n: '-5e-06', "it's": 'xé\n' }],
    ['[]', []],
  ])('T-COST: %s', (text, value) => expect(pythonValue(text)).toEqual(value));
  test.each(["[{'a': datetime.date(2024, 1, 1)}]", "['a'", "x['a']", "{'a': f()}", "'a'"])(
    'T-COST: %s is rejected',
    (text) => expect(pythonValue(text)).toBeUndefined(),
  );
});

describe('FOCUS', () => {
  test('T-COST: columns of 1.0, NULL, tags sorted by name', () => {
    expect(only(focus)).toMatchObject({
      periodStart: '2024-09-01',
      periodEnd: '2024-10-01',
      day: '2024-09-18',
      kind: 'usage',
      service: 'Amazon S3',
      currency: 'USD',
      scope: { provider: 'AWS', account: '1', subAccount: '2', subAccountName: '', tags: { a: '1', b: '2' } },
    });
    expect(amounts(only(focus))).toEqual(['0.0000008', '0.0000008', '0.1']);
  });
  test('T-COST: 1.3 has the service provider, and accepts columns in any order and case', () => {
    const { ProviderName: _left, ...rest } = focus;
    const reversed = Object.fromEntries(
      Object.entries({ ...rest, ServiceProviderName: 'Microsoft' }).toReversed(),
    );
    expect(only(reversed).scope.provider).toBe('Microsoft');
  });
  test('T-COST: an invoice’s correction of an earlier month belongs to the invoice’s month', () => {
    expect(only({ ...focus, ChargePeriodStart: '2024-08-02 00:00:00' }).day).toBe('2024-09-01');
    expect(only({ ...focus, ChargePeriodStart: '2024-10-05 00:00:00' }).day).toBe('2024-09-30');
  });
  test.each([
    [{ BilledCost: '1,5' }, 'amount', 'BilledCost'],
    [{ BillingCurrency: 'US' }, 'currency', 'BillingCurrency'],
    [{ ChargePeriodStart: 'NULL' }, 'missing', 'ChargePeriodStart'],
    [{ BillingPeriodEnd: '2024-09-01' }, 'period', 'BillingPeriodEnd'],
    [{ ChargeCategory: 'Gift' }, 'kind', 'ChargeCategory'],
    [{ Tags: '{"a": ' }, 'tags', 'Tags'],
    [{ ServiceName: 'x'.repeat(501) }, 'long', 'ServiceName'],
  ])('T-COST: %o is rejected at its column', (wrong, rule, column) => {
    expect(() => read({ ...focus, ...wrong })).toThrow(
      expect.objectContaining({ rule, column }) as unknown as RowMistake,
    );
  });
});

describe('AWS CUR', () => {
  test('T-COST: 2.0 has product and tags in maps; the older CUR’s names are the same columns', () => {
    expect(only(cur)).toMatchObject({
      day: '2024-09-30',
      service: 'Amazon Elastic Compute Cloud',
      scope: { account: '111', subAccount: '222', subAccountName: 'shop', tags: { user_env: 'prod' } },
    });
    const older = Object.fromEntries(
      Object.entries(cur).map(([name, value]) => [
        name.replace(
          /^(bill|line_item|pricing|savings_plan|reservation)_/,
          (group) => `${group.slice(0, -1)}/`,
        ),
        value,
      ]),
    );
    expect(only(older)).toEqual(only(cur));
  });
  test.each([
    ['Usage', 'usage', ['1.5', '1.5', '2.5']],
    ['SavingsPlanCoveredUsage', 'usage', ['1.5', '0.9', '2.5']],
    ['SavingsPlanNegation', 'usage', ['1.5', '0', '0']],
    ['SavingsPlanRecurringFee', 'purchase', ['1.5', '2.5', '0']],
    ['DiscountedUsage', 'usage', ['1.5', '0.4', '2.5']],
    ['Credit', 'credit', ['1.5', '1.5', '1.5']],
    ['Refund', 'refund', ['1.5', '1.5', '1.5']],
    ['Tax', 'tax', ['1.5', '1.5', '1.5']],
    ['EdpDiscount', 'discount', ['1.5', '1.5', '1.5']],
    ['Something new', 'adjustment', ['1.5', '1.5', '1.5']],
  ])('T-COST: %s is %s', (type, kind, exact) => {
    const line = only({ ...cur, line_item_line_item_type: type });
    expect(line.kind).toBe(kind);
    expect(amounts(line)).toEqual(exact);
  });
});

describe('Azure', () => {
  const mca = {
    billingAccountId: '8611537',
    billingPeriodStartDate: '09/01/2024',
    billingPeriodEndDate: '09/30/2024',
    date: '09/12/2024',
    SubscriptionId: 'sub-1',
    subscriptionName: 'Shop',
    resourceGroupName: 'rg-shop',
    meterCategory: 'Virtual Machines',
    costInBillingCurrency: '1.25',
    billingCurrency: 'EUR',
    chargeType: 'Usage',
    tags: '"env": "prod","team": "a"',
  };
  test('T-COST: columns of MCA: the last day of the period is included, tags have no braces', () => {
    expect(only(mca)).toMatchObject({
      periodStart: '2024-09-01',
      periodEnd: '2024-10-01',
      day: '2024-09-12',
      currency: 'EUR',
      service: 'Virtual Machines',
      scope: { subAccount: 'sub-1', resourceGroup: 'rg-shop', tags: { env: 'prod', team: 'a' } },
    });
  });
  test('T-COST: columns of EA', () => {
    const ea = {
      SubscriptionId: 'sub-1',
      Date: '09/12/2024',
      MeterCategory: 'Storage',
      CostInBillingCurrency: '2',
      BillingCurrencyCode: 'USD',
      ResourceGroup: 'rg',
      ChargeType: 'Refund',
    };
    expect(only(ea)).toMatchObject({ kind: 'refund', periodStart: '2024-09-01', periodEnd: '2024-10-01' });
  });
});

describe('Google Cloud', () => {
  const json =
    '{"billing_account_id":"A-1","service":{"id":"s","description":"Compute Engine"},"project":{"id":"p-1","name":"Shop","labels":[{"key":"team","value":"a"}]},"labels":[{"key":"env","value":"prod"}],"usage_start_time":"2024-09-30 23:00:00 UTC","cost":0.1234567890123456789,"currency":"USD","credits":[{"name":"SUD","amount":-0.02,"type":"SUSTAINED_USAGE_DISCOUNT"},{"name":"Free","amount":-0.001,"type":"PROMOTION"}],"invoice":{"month":"202410"},"cost_type":"regular"}';
  const row = Object.fromEntries(flattened(exactJson(json) as object));

  test('T-COST: a nested row with its credits, its invoice’s month and all digits', () => {
    expect(formatIn(row)).toBe('gcp');
    const [usage, discount, credit] = read(row);
    expect(usage).toMatchObject({
      periodStart: '2024-10-01',
      day: '2024-10-01',
      service: 'Compute Engine',
      scope: { account: 'A-1', subAccount: 'p-1', tags: { env: 'prod', team: 'a' } },
    });
    expect(usage && costText(usage.billed)).toBe('0.123456789012345679');
    expect([discount?.kind, credit?.kind]).toEqual(['discount', 'credit']);
    expect([discount, credit].map((each) => each && amounts(each))).toEqual([
      ['-0.02', '-0.02', '0'],
      ['-0.001', '-0.001', '-0.001'],
    ]);
  });
});

describe('Oracle Cloud', () => {
  const oci = {
    'lineItem/tenantId': 'ocid1.tenancy',
    'lineItem/intervalUsageStart': '2023-11-30T23:00Z',
    'product/service': 'DATABASE',
    'product/compartmentId': 'ocid1.compartment',
    'product/compartmentName': 'shop',
    'cost/myCost': '2.323760000E-9',
    'cost/myCostOverage': '1',
    'cost/currencyCode': 'USD',
    'lineItem/isCorrection': 'false',
    'tags/Ops.Team': 'web',
  };
  test('T-COST: its own cost report; overage is included in the cost', () => {
    const line = only(oci);
    expect(line).toMatchObject({
      periodStart: '2023-11-01',
      periodEnd: '2023-12-01',
      day: '2023-11-30',
      kind: 'usage',
      service: 'DATABASE',
      currency: 'USD',
      isAssumed: false,
      scope: {
        provider: 'Oracle',
        account: 'ocid1.tenancy',
        subAccount: 'ocid1.compartment',
        tags: { 'Ops.Team': 'web' },
      },
    });
    expect(amounts(line)).toEqual(['0.00000000232376', '0.00000000232376', '0.00000000232376']);
  });
  test('T-COST: a correction is an adjustment', () =>
    expect(only({ ...oci, 'lineItem/isCorrection': 'true' }).kind).toBe('adjustment'));
});

describe('the currency of a row', () => {
  const { BillingCurrency: _none, ...without } = focus;
  const lineWith = (row: Readonly<Record<string, string>>, assumed?: string): CostLine | undefined =>
    linesOf('focus', headerOf(Object.keys(row)), Object.values(row), assumed)[0];
  test.each<[string, Readonly<Record<string, string>>, string, boolean]>([
    ['a column that is not there', without, 'EUR', true],
    ['an empty cell', { ...focus, BillingCurrency: '' }, 'EUR', true],
    ['NULL', { ...focus, BillingCurrency: 'NULL' }, 'EUR', true],
    ['what the row names', focus, 'USD', false],
  ])('T-COST: of %s', (_what, row, currency, isAssumed) =>
    expect(lineWith(row, 'EUR')).toMatchObject({ currency, isAssumed }),
  );
  test.each<[string, Readonly<Record<string, string>>, string | undefined, string]>([
    ['a missing one, without one of the source', without, undefined, 'no_currency'],
    ['an invalid one, whatever the source has', { ...focus, BillingCurrency: 'MC' }, 'EUR', 'currency'],
  ])('T-COST: %s is rejected', (_what, row, assumed, rule) => {
    const caught = (): unknown => {
      try {
        return lineWith(row, assumed);
      } catch (error) {
        return error;
      }
    };
    expect(caught()).toMatchObject({ rule });
  });
});

test('T-COST: another kind of table is rejected with its missing columns', () => {
  expect(formatOf(headerOf(['a', 'b']))).toEqual({
    missing: expect.arrayContaining(['billedcost', 'billingperiodstart']) as string[],
  });
  const { BilledCost: _left, ...rest } = focus;
  expect(formatOf(headerOf(Object.keys(rest)))).toEqual({ missing: ['billedcost'] });
});
