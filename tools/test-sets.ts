// Which tests `npm test` runs with every change, and which it leaves to `npm run test:all`. The runners'
// configurations read this; called directly, without the variable below, they know every file.

/** The environment variable that selects a set, and its only value. Without it a run has every test. */
export const testSetVariable = 'TEST_SET';
export const everyChange = 'every-change';

/** Whether only the tests of every change are to run. */
export const isEveryChange = process.env[testSetVariable] === everyChange;

/**
 * What changes do not wait for: tests that kill consoles and databases, need several consoles or other
 * vendors' servers, replay random histories, or go through everything one by one; and the longest of the
 * others, whose rules are tested with every change. Each file takes ten seconds or longer, many of them a minute.
 */
export const longTests: readonly string[] = [
  'tests/faults/**',
  'tests/scale/**',
  'verify/*histor*.test.ts',
  'verify/{arrival-order,commitments,consolidated,credit-expiry,disputes,interims,terms}.test.ts',
  'verify/{payers,payers-receivables}.test.ts',
  'src/platform/server/database/embedded/postgres-orphan.test.ts',
  'src/features/receivables/einvoices/server/providers/lies.test.ts',
  'tests/access/{audit-log,custom-roles,hostile-workbook,key-permissions}.test.ts',
  'tests/app/{cli,jobs,eight-*}.test.ts',
  'tests/attacks/{files,sessions,sign-in,view-as}.test.ts',
  'tests/integrators/{client,generated-clients,guides}.test.ts',
  'tests/invoicing/{big-sums,card-histories,commitments,credit-purchases,deferred-revenue}.test.ts',
  'tests/invoicing/{late-usage,reissue,resellers}.test.ts',
  'tests/invoicing/{payers-and-credit,subscription-payers,upgrade-cards}.test.ts',
  'tests/messaging/webhooks.test.ts',
  'tests/metering/{connectors,connectors-*,cost-imports,event-streams*,hostile-uploads,usage-archive}.test.ts',
  'tests/metering/{add-ons,cost-files,event-files,kept-figures,reconciliation,reservations}.test.ts',
  'tests/metering/{several-meters,usage-by-charge,days-of-months}.test.ts',
  'tests/operations/{backups,data-exports,data-exports-outside,demo,focus-by-sku,personal-data,sandboxes,sandboxes-at-once}.test.ts',
  'tests/receivables/{banking,dunning,ecpay-cards,einvoices-faults,late-fees}.test.ts',
  'tests/receivables/{payers-outside,payment-webhooks}.test.ts',
  'tests/reporting/{lives-of-money,month-pack}.test.ts',
  'tests/selling/{catalogue-table,change-previews,subscriptions-bills}.test.ts',
];

/**
 * The journeys that changes wait for, by their files in e2e: the main job from an empty machine to a paid
 * bill, ways in, every route for every role, and the screens that customers open every day.
 */
export const mainJourneys: readonly string[] = [
  'card-payment',
  'error-texts',
  'languages',
  'main-job',
  'routes',
  'same-figures',
  'session',
  'sign-in',
  'subscriptions',
  'usage-statistics',
];
