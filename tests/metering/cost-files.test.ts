// Files in the formats that clouds and their tools publish, through a real console and database: the totals
// of an import equal those of the file, added up here by another library. The rows are made up; their
// columns, dates, numbers, tags and credits are formatted as in the files that each test names.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Big from 'big.js';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  costImports,
  type CostFormat,
  type CostImport,
  type CostSource,
} from '#features/metering/cost-imports/contract.ts';
import { createTestConsole, setUp, type TestConsole } from '../support/console.ts';
import { runFeatureJob, stopRepeating } from '../support/jobs.ts';

let console: TestConsole;
let admin: string;
beforeAll(async () => {
  console = await createTestConsole(new Date('2026-06-02T03:00:00Z'));
  await stopRepeating(console.app);
  admin = await setUp(console);
});

/** Reads a file and activates it. */
async function importOf(
  content: string,
  name: string,
  assumedCurrency: 'USD' | 'EUR' | null = null,
): Promise<{ found: CostImport; source: CostSource }> {
  const { id: sourceId } = await console.ok(
    costImports.createCostSource,
    {
      name: name.slice(0, 80),
      place: { kind: 'upload' },
      assumedCurrency,
      rules: [],
      selling: { costBasis: 'billed', sellBasis: 'cost', passesCredits: false, markUps: [] },
    },
    { token: admin },
  );
  const answer = await console.call(
    costImports.uploadCostFile,
    { sourceId, name },
    {
      token: admin,
      body: Buffer.from(content) as never,
      headers: { 'content-type': 'application/octet-stream' },
    },
  );
  const { id: importId } = answer.data as CostImport;
  await runFeatureJob(console.app, 'cost-imports');
  const read = async (): Promise<CostImport | undefined> =>
    (await console.ok(costImports.listCostImports, { sourceId }, { token: admin })).items[0];
  if ((await read())?.state === 'ready')
    await console.ok(costImports.applyCostImport, { importId }, { token: admin });
  const found = await read();
  if (!found) throw new Error('the import is not listed');
  return { found, source: await console.ok(costImports.getCostSource, { sourceId }, { token: admin }) };
}

type Row = Record<string, string>;
const plainly = (amount: string): string => amount.replaceAll(/[$,\s]/g, '') || '0';
/** The sum of a column by currency, plus lists of credits. */
function sumsOf(content: string, cost: RegExp, currency: RegExp, assumed = ''): Record<string, string> {
  const rows = parse(content, { columns: true, bom: true, relax_column_count: true }) as Row[];
  const sums = new Map<string, Big>();
  for (const row of rows) {
    const valueOf = (name: RegExp): string =>
      Object.entries(row).find(([each]) => name.test(each))?.[1] ?? '';
    const credits = [...(row['credits'] ?? '').matchAll(/['"]amount['"]: *(-?[\d.e-]+)/g)];
    const amount = credits.reduce((sum, [, each]) => sum.plus(each ?? '0'), Big(plainly(valueOf(cost))));
    const code = valueOf(currency) || assumed;
    sums.set(code, (sums.get(code) ?? Big(0)).plus(amount));
  }
  return Object.fromEntries([...sums].map(([name, sum]) => [name, sum.toFixed()]));
}
const byCurrency = (amounts: CostImport['cost']): Record<string, string> =>
  Object.fromEntries(amounts.map(({ amount, currency }) => [currency, Big(amount).toFixed()]));
/** The totals of active periods, without and with taxes. */
function ofPeriods({ periods }: CostSource): Record<string, string> {
  const sums = new Map<string, Big>();
  for (const { amount, currency } of periods.flatMap(({ cost, tax }) => [...cost, ...tax]))
    sums.set(currency, (sums.get(currency) ?? Big(0)).plus(amount));
  return Object.fromEntries([...sums].map(([name, sum]) => [name, sum.toFixed()]));
}

async function agrees(
  content: string,
  name: string,
  format: CostFormat,
  cost: RegExp,
  currency: RegExp,
  assumed: 'USD' | 'EUR' | null = null,
) {
  const { found, source } = await importOf(content, name, assumed);
  expect(found.failure).toBeNull();
  expect(found).toMatchObject({ state: 'applied', format });
  const expected = sumsOf(content, cost, currency, assumed ?? '');
  expect(byCurrency(found.cost)).toEqual(expected);
  const moved = Object.fromEntries(Object.entries(expected).filter(([, sum]) => sum !== '0'));
  expect(ofPeriods(source)).toEqual(moved);
  return { found, source };
}
async function scopesIn(sourceId: CostSource['id']) {
  const { periods } = await console.ok(costImports.previewCosts, { sourceId }, { token: admin });
  return periods.flatMap(({ unassignedAccounts }) => unassignedAccounts.flatMap(({ scopes }) => scopes));
}

// The sample of the FOCUS project (CC BY 4.0), which the demo data contains.
const sample = readFileSync(new URL('../../demo-data/focus-sample.csv', import.meta.url), 'utf8');
/** The columns that each version adds to the previous one (focus.finops.org, "Column library"). */
const added = {
  '1.1':
    'CapacityReservationId CapacityReservationStatus CommitmentDiscountQuantity CommitmentDiscountUnit ServiceSubcategory SkuMeter SkuPriceDetails',
  '1.2':
    'BillingAccountType InvoiceId PricingCurrency PricingCurrencyContractedUnitPrice PricingCurrencyEffectiveCost PricingCurrencyListUnitPrice SubAccountType',
  '1.3':
    'AllocatedMethodId AllocatedMethodDetails AllocatedResourceId AllocatedResourceName AllocatedTags ContractApplied HostProviderName ServiceProviderName',
};
const values: Row = {
  PricingCurrency: 'Token',
  PricingCurrencyEffectiveCost: '99',
  HostProviderName: 'Host',
  AllocatedTags: '{""workload"":""search""}',
};
/**
 * The sample’s rows with the columns of a later version, dates in the format of the specification, empty
 * cells left empty.
 */
function asVersion(version: keyof typeof added): string {
  const rows = parse(sample, { columns: true, bom: true }) as Row[];
  const more = Object.entries(added).flatMap(([each, names]) => (each <= version ? names.split(' ') : []));
  const names = [...more, ...Object.keys(rows[0] ?? {})].filter(
    (name) => version !== '1.3' || name !== 'ProviderName',
  );
  const cell = (row: Row, name: string): string => {
    if (name === 'ServiceProviderName') return row['ProviderName'] ?? '';
    const value = values[name] ?? row[name] ?? '';
    if (value === 'NULL') return '';
    return /^(Billing|Charge)Period/.test(name)
      ? `${value.replace(' ', 'T')}Z`
      : `"${name in values ? value : value.replaceAll('"', '""')}"`;
  };
  return [names.join(','), ...rows.map((row) => names.map((name) => cell(row, name)).join(','))].join('\n');
}

describe('FOCUS', () => {
  it.each(['1.1', '1.2', '1.3'] as const)(
    'T-COST: %s is read like 1.0, whatever it adds',
    async (version) => {
      const content = asVersion(version);
      const { found, source } = await agrees(
        content,
        `focus-${version}.csv`,
        'focus',
        /^BilledCost$/,
        /^BillingCurrency$/,
      );
      expect(found.rows).toBe(798);
      const providers = new Set((await scopesIn(source.id)).map(({ provider }) => provider));
      expect([...providers].toSorted()).toEqual(['AWS', 'Microsoft', 'Oracle']);
    },
  );

  it('T-COST: dates and amounts of a spreadsheet are read, and vendors without resources (FOCUS_Spec, specification/data/saas_examples)', async () => {
    const content = [
      'BilledCost,BillingAccountId,BillingCurrency,BillingPeriodEnd,BillingPeriodStart,ChargeCategory,ChargePeriodEnd,ChargePeriodStart,EffectiveCost,ListCost,ProviderName,ResourceId,ServiceName,SubAccountId',
      '"$12,345.60 ",77-1,USD,5/1/25,4/1/25,Purchase,4/1/26,4/1/25,"$12,345.60 ","$12,345.60 ",Example Co,,Example,',
      '-$45.60,77-1,USD,5/1/25,4/1/25,Credit,4/2/25,4/1/25,$0.00,null,Example Co,,Example,null',
    ].join('\n');
    const { source } = await agrees(content, 'saas.csv', 'focus', /^BilledCost$/, /^BillingCurrency$/);
    expect(source.periods).toMatchObject([
      { periodStart: '2025-04-01', periodEnd: '2025-05-01', cost: [{ amount: '12300', currency: 'USD' }] },
    ]);
  });
});

it('T-COST: characters that cannot be stored in a cell or column name still give a proper rejection', async () => {
  const { found } = await importOf(
    `BilledCost\0,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargeCategory\n1\0,USD,2025-04-01,2025-05-01,2025-04-01,Usage`,
    'nul.csv',
  );
  expect(found).toMatchObject({
    state: 'failed',
    failure: { code: 'row_amount', row: 2, column: 'BilledCost' },
  });
});

describe('AWS', () => {
  it('T-COST: an older CUR has tags in separate columns, and taxes, refunds and covered usage (koku, koku/masu/test/data/aws; focus_converters, sample-anonymous-aws-export-dataset.csv)', async () => {
    const header =
      'bill/PayerAccountId,bill/BillingPeriodStartDate,bill/BillingPeriodEndDate,costCategory/CostCenter,lineItem/UsageAccountId,lineItem/LineItemType,lineItem/UsageStartDate,lineItem/ProductCode,lineItem/ResourceId,lineItem/CurrencyCode,lineItem/UnblendedCost,pricing/publicOnDemandCost,product/ProductName,savingsPlan/SavingsPlanEffectiveCost,resourceTags/user:env,resourceTags/aws:createdBy';
    const line = (type: string, cost: string, more = ',,,,') =>
      `000000000001,2023-11-01T00:00:00Z,2023-12-01T00:00:00Z,cc-7,000000000002,${type},2023-11-03 00:00:00,AmazonEC2,,NOK,${cost}${more}`;
    const content = [
      header,
      line('Usage', '0.0000016309', ',0.0000016309,Amazon Elastic Compute Cloud,,prod,root'),
      line('SavingsPlanCoveredUsage', '10', ',10,Amazon Elastic Compute Cloud,0.1,prod,'),
      line('SavingsPlanNegation', '-10', ',,,,,'),
      line('Tax', '0.48', ',,,,,'),
      line('Refund', '-2.5e-3', ',,,,,'),
    ].join('\r\n');
    const { source } = await agrees(
      content,
      'cur.csv',
      'aws_cur',
      /^lineItem\/UnblendedCost$/,
      /CurrencyCode$/,
    );
    expect(source.periods[0]?.tax).toEqual([{ amount: '0.48', currency: 'NOK' }]);
    expect((await scopesIn(source.id)).map(({ tags }) => tags)).toEqual(
      expect.arrayContaining([{ 'user:env': 'prod', 'aws:createdBy': 'root' }, { 'user:env': 'prod' }]),
    );
  });

  it('T-COST: the Athena table has column names with underscores (koku, 2022-07-01-alt-columns.csv)', async () => {
    const content = [
      'bill_payer_account_id,bill_billing_period_start_date,bill_billing_period_end_date,line_item_usage_account_id,line_item_line_item_type,line_item_usage_start_date,line_item_product_code,line_item_currency_code,line_item_unblended_cost,product_product_name,resource_tags_aws_created_by,resource_tags_user_env',
      '1,2022-07-01 00:00:00.000,2022-08-01 00:00:00.000,2,Usage,2022-07-31 23:00:00.000,AmazonS3,USD,1.25,Amazon Simple Storage Service,,prod',
    ].join('\n');
    const { source } = await agrees(
      content,
      'athena.csv',
      'aws_cur',
      /^line_item_unblended_cost$/,
      /currency/,
    );
    expect(await scopesIn(source.id)).toMatchObject([{ tags: { user_env: 'prod' }, subAccount: '2' }]);
  });
});

describe('Azure', () => {
  it('T-COST: spreadsheet dates, tags without braces, a refund and rounding (focus_converters, sample-anonymous-ea-export-dataset.csv; finops-toolkit, EA_ActualCost_Small.csv)', async () => {
    const content = [
      '\uFEFFSubscriptionId,SubscriptionName,ResourceGroup,Date,MeterCategory,CostInBillingCurrency,ResourceId,Tags,ChargeType,BillingAccountId,BillingCurrencyCode,BillingPeriodStartDate,BillingPeriodEndDate',
      's-1,Shop,RG-Shop,9/2/2023,Virtual Network,0.000305367,/subscriptions/s-1,"""tagA"": ""a"",""tagB"": ""b""",Usage,12345678,CAD,9/1/2023,9/30/2023',
      's-1,Shop,rg-shop,09/30/2023,Storage,-1.5,,,Refund,12345678,CAD,9/1/2023,9/30/2023',
      's-1,Shop,,9/30/2023,Rounding,0.004694633,,,RoundingAdjustment,12345678,CAD,9/1/2023,9/30/2023',
    ].join('\r\n');
    const { source } = await agrees(
      content,
      'ea.csv',
      'azure',
      /^CostInBillingCurrency$/,
      /^BillingCurrencyCode$/,
    );
    expect(source.periods).toMatchObject([{ periodStart: '2023-09-01', periodEnd: '2023-10-01' }]);
    const { periods } = await console.ok(
      costImports.previewCosts,
      {
        sourceId: source.id,
        rules: [{ field: 'resourceGroup', tag: '', value: 'rg-Shop', subscriptionId: null }],
      },
      { token: admin },
    );
    // Azure treats RG-Shop and rg-shop as one resource group.
    expect(periods[0]?.ignored).toEqual([{ amount: '-1.499694633', currency: 'CAD' }]);
  });

  it('T-COST: translated column names are recognized by the original name after them (OpenCost, headersets/German.csv)', async () => {
    const content = [
      'Abonnement-GUID (SubscriptionGuid),Ressourcengruppe (ResourceGroup),UsageDateTime (UsageDateTime),Kategorie der Verbrauchseinheit (MeterCategory),PreTaxCost (PreTaxCost),InstanceId (InstanceId),Tags (Tags),Currency',
      's-9,rg-9,2021-02-02,Load Balancer,0.075,,"{""env"":""prod""}",EUR',
      's-9,rg-9,2021-02-03 00:00:00,Load Balancer,1.2E-05,,,EUR',
    ].join('\r\n');
    const { source } = await agrees(content, 'german.csv', 'azure', /^PreTaxCost/, /^Currency$/);
    expect(
      (await scopesIn(source.id)).map(({ subAccount, resourceGroup }) => [subAccount, resourceGroup]),
    ).toEqual([
      ['s-9', 'rg-9'],
      ['s-9', 'rg-9'],
    ]);
  });

  it('T-COST: a row without a currency is rejected with its column, and gets the source’s currency once that is set (OpenCost, headersets/BOM.csv)', async () => {
    const content =
      '\uFEFFSubscriptionGuid,UsageDateTime,MeterCategory,PreTaxCost,Currency\r\ns,2022-11-03,Storage,1.25,\r\ns,2022-11-04,Storage,2,USD\r\n';
    const { found, source } = await importOf(content, 'empty.csv');
    expect(found).toMatchObject({
      state: 'failed',
      assumed: null,
      failure: { code: 'row_no_currency', row: 2, column: 'Currency' },
    });
    const withCurrency = await console.ok(
      costImports.updateCostSource,
      { sourceId: source.id, version: source.version, assumedCurrency: 'EUR' },
      { token: admin },
    );
    expect(withCurrency.assumedCurrency).toBe('EUR');
    await console.ok(costImports.retryCostImport, { importId: found.id }, { token: admin });
    await runFeatureJob(console.app, 'cost-imports');
    const { items } = await console.ok(
      costImports.listCostImports,
      { sourceId: source.id },
      { token: admin },
    );
    // Only the row without a currency gets it, and the import shows that.
    expect(items).toMatchObject([
      {
        state: 'ready',
        assumed: { rows: 1, currency: 'EUR' },
        cost: [
          { amount: '1.25', currency: 'EUR' },
          { amount: '2', currency: 'USD' },
        ],
      },
    ]);
  });

  it('T-COST: a file read with another currency of the source is a different one; a file with its own currency is the same', async () => {
    const header = 'SubscriptionGuid,UsageDateTime,MeterCategory,PreTaxCost,Currency';
    const files = [
      `${header}\ns,2022-11-03,Storage,3,\n`,
      `${header}\ns,2022-11-03,Storage,3,TWD\n`,
    ] as const;
    for (const [content, count] of [
      [files[0], 2],
      [files[1], 1],
    ] as const) {
      const { source, found } = await importOf(content, `again-${count}.csv`, 'USD');
      expect(found.assumed).toEqual(count === 2 ? { rows: 1, currency: 'USD' } : null);
      await console.ok(
        costImports.updateCostSource,
        { sourceId: source.id, version: source.version, assumedCurrency: 'EUR' },
        { token: admin },
      );
      await console.call(
        costImports.uploadCostFile,
        { sourceId: source.id, name: 'again.csv' },
        {
          token: admin,
          body: Buffer.from(content) as never,
          headers: { 'content-type': 'application/octet-stream' },
        },
      );
      const { items } = await console.ok(
        costImports.listCostImports,
        { sourceId: source.id },
        { token: admin },
      );
      expect(items).toHaveLength(count);
    }
  });
});

describe('Google Cloud', () => {
  it('T-COST: a table saved by Python has labels and credits as Python literals (koku, koku/masu/test/data/gcp)', async () => {
    const content = [
      'billing_account_id,service.id,service.description,usage_start_time,project.id,project.name,project.labels,labels,cost,currency,credits,invoice.month,cost_type',
      `A-1,S-1,BigQuery,2020-11-09 23:00:00+00:00,p-1,Shop,"[{'key': 'team', 'value': ""it's""}]","[{'key': 'env', 'value': 'prod'}]",5e-06,USD,"[{'name': 'FreeTrial:Credit-1', 'amount': -5e-06, 'full_name': None, 'id': 'FreeTrial:Credit-1', 'type': 'PROMOTION'}]",202011,regular`,
      `A-1,S-1,BigQuery,2020-11-30 23:30:00-08:00,p-1,Shop,[],[],0.3,USD,"[{'name': 'SUD', 'amount': -0.1, 'type': 'SUSTAINED_USAGE_DISCOUNT'}, {'name': 'CUD', 'amount': -0.05, 'type': 'COMMITTED_USAGE_DISCOUNT'}]",202011,regular`,
      'A-1,,Invoice,2020-11-30 00:00:00+00:00,,,[],[],0.07,USD,[],202011,tax',
    ].join('\n');
    const { source } = await agrees(content, 'gcp.csv', 'gcp', /^cost$/, /^currency$/);
    expect(source.periods).toMatchObject([
      { cost: [{ amount: '0.15', currency: 'USD' }], tax: [{ amount: '0.07', currency: 'USD' }] },
    ]);
    expect((await scopesIn(source.id)).map(({ tags }) => tags)).toContainEqual({ env: 'prod', team: "it's" });
  });
});

describe('Oracle Cloud', () => {
  it('T-COST: its own cost report has tags in columns, exponents, and corrections (focus_converters, reports_cost-csv_….csv)', async () => {
    const content = [
      'lineItem/referenceNo,lineItem/tenantId,lineItem/intervalUsageStart,lineItem/intervalUsageEnd,product/service,product/compartmentId,product/compartmentName,product/resourceId,usage/billedQuantity,cost/productSku,product/Description,cost/unitPrice,cost/myCost,cost/myCostOverage,cost/currencyCode,cost/overageFlag,lineItem/isCorrection,tags/Oracle-Tags.CreatedBy,tags/Ops.Team',
      'r1,ocid1.tenancy.oc1..a,2023-11-13T10:00Z,2023-11-13T11:00:00Z,DATABASE,ocid1.compartment.oc1..b,shop,ocid1.db,0.083333333333,B92911,Database,0.147171330000000000,0.012264277499950943,,USD,false,false,ann@example.com,web',
      'r2,ocid1.tenancy.oc1..a,2023-11-30T23:00Z,2023-12-01T00:00:00Z,TELEMETRY,ocid1.compartment.oc1..b,shop,,0.000002,B90926,Monitoring,0.00116188,2.323760000E-9,,USD,false,false,,',
      'r3,ocid1.tenancy.oc1..a,2023-11-20T00:00Z,2023-11-20T01:00:00Z,DATABASE,ocid1.compartment.oc1..b,shop,ocid1.db,-0.01,B92911,Database,0.147,-0.00147,,USD,false,true,,',
    ].join('\n');
    const { source } = await agrees(
      content,
      'reports_cost-csv_0000000030000269.csv',
      'oci',
      /^cost\/myCost$/,
      /^cost\/currencyCode$/,
    );
    expect(source.periods).toMatchObject([{ periodStart: '2023-11-01', periodEnd: '2023-12-01', rows: 3 }]);
    expect(await scopesIn(source.id)).toMatchObject([
      {
        provider: 'Oracle',
        account: 'ocid1.tenancy.oc1..a',
        subAccount: 'ocid1.compartment.oc1..b',
        subAccountName: 'shop',
        tags: { 'Oracle-Tags.CreatedBy': 'ann@example.com', 'Ops.Team': 'web' },
      },
      { tags: {} },
    ]);
  });
});

// A folder of published files, if available: docs/contributor/cost-files.md lists them and their origin.
const folder = process.env['COST_SAMPLES'];
describe.skipIf(folder === undefined)('files of COST_SAMPLES', () => {
  const columns: readonly (readonly [CostFormat, RegExp, RegExp])[] = [
    ['focus', /^BilledCost$/, /^BillingCurrency$/],
    ['aws_cur', /^line_?item[/_]unblended_?cost$/i, /^line_?item[/_]currency_?code$/i],
    ['gcp', /^cost$/, /^currency$/],
    ['oci', /^cost\/myCost$/, /^cost\/currencyCode$/],
    ['azure', /^(costInBillingCurrency|PreTaxCost|Cost)\b/i, /^(billingCurrency(Code)?|Currency)\b/i],
  ];
  const names = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.csv'));
  it.each(names)(
    'T-COST: %s adds up to its own totals, or is rejected with row and column',
    async (name) => {
      const content = readFileSync(join(folder ?? '', name), 'utf8');
      const { found, source } = await importOf(content, name, 'USD');
      const { failure, rows, assumed } = found;
      process.stderr.write(
        `${name}: ${failure ? `row ${failure.row}: ${failure.message}` : `${rows} rows${assumed ? `, ${assumed.rows} without a currency` : ''}`}\n`,
      );
      if (failure) {
        expect(failure.code).toMatch(/^(unknown_columns|contract_commitments|columns|empty|row_\w+)$/);
        return;
      }
      const [, cost, currency] = columns.find(([format]) => format === found.format) ?? [];
      if (!cost || !currency) throw new Error('no format');
      // Azure writes more than the 18 digits that are stored: each row is rounded there.
      const rounded = (sums: Record<string, string>): Record<string, string> =>
        Object.fromEntries(
          Object.entries(sums).flatMap(([code, sum]) =>
            Big(sum).eq(0) ? [] : [[code, Big(sum).toFixed(14)]],
          ),
        );
      const expected = rounded(sumsOf(content, cost, currency, 'USD'));
      expect(rounded(byCurrency(found.cost))).toEqual(expected);
      expect(rounded(ofPeriods(source))).toEqual(expected);
    },
    60_000,
  );
});
