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
  'verify/{payers,payers-receivables,withholding,zone-moved}.test.ts',
  'src/platform/server/database/embedded/{embedded-postgres,postgres-orphan}.test.ts',
  'src/platform/server/files/spreadsheet.test.ts',
  'src/features/receivables/einvoices/server/{proof-document,providers/lies}.test.ts',
  'tests/access/{audit-log,custom-roles,hostile-workbook,key-permissions,session-policies}.test.ts',
  'tests/access/{notices-after-moving,notices-of-roles,users-batch,users-files,waiting-notices}.test.ts',
  'tests/app/{cli,jobs,eight-*}.test.ts',
  'tests/attacks/{any-input,files,headers,money,passkeys,sessions,sign-in,view-as}.test.ts',
  'tests/integrators/{client,generated-clients,guides}.test.ts',
  'tests/invoicing/{archived-events,begins-in-the-past,big-sums,bill-files,calendar-edges,card-histories}.test.ts',
  'tests/invoicing/{commitments,credit-of-charges,credit-purchases,credit-stop,deferred-revenue}.test.ts',
  'tests/invoicing/{explain-running,explained-after-late,late-usage,minimum-spends,quotes-estimate}.test.ts',
  'tests/invoicing/{payers-and-credit,reissue,resellers,subscription-payers,time-zones,upgrade-cards}.test.ts',
  'tests/messaging/{upcoming-notifications,webhooks}.test.ts',
  'tests/metering/{connectors,connectors-*,cost-imports,event-streams*,hostile-uploads,usage-archive}.test.ts',
  'tests/metering/{add-ons,cost-files,cost-manifests,event-files,kept-figures,reconciliation,reservations}.test.ts',
  'tests/metering/{days-of-months,hours-of-zones,percentages-half-hours,quota-*,rating-context,several-meters}.test.ts',
  'tests/metering/{trials-from-events,usage-by-charge}.test.ts',
  'tests/operations/{announcements,backups,data-exports,data-exports-outside,demo,focus-by-sku}.test.ts',
  'tests/operations/{personal-data,personal-data-resold,sandboxes,sandboxes-at-once}.test.ts',
  'tests/receivables/{banking,dunning,ecpay-cards,einvoices-choice,einvoices-faults,einvoices-low}.test.ts',
  'tests/receivables/{late-fees,payers-outside,payment-open-checkouts,payment-webhooks,planned-resumes,top-ups}.test.ts',
  'tests/reporting/{en16931,forecast,lives-of-money,month-pack}.test.ts',
  'tests/selling/{catalogue-table,change-previews,levels,subscriptions-bills,subscriptions-plans}.test.ts',
  'tests/support/server.test.ts',
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
