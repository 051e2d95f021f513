// The database cost of a list: one statement for a page with its total, however many rows it shows
// (performance.md, section 2).
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { pathNames, type Route } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { Actor } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { consoleFeature } from '#app/console/dashboards.ts';
import { features } from '#app/features.ts';
import { monitoringFeature } from '#features/operations/monitoring/server/index.ts';
import { sandboxes } from '#features/operations/sandboxes/contract.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { fillBooks } from '../support/backups.ts';
import { createTestConsole, setUp, type TestConsole } from '../support/console.ts';

/** Lists that read more than their page with its total: the number of statements, and the reason. */
const more: Record<string, readonly [statements: number, what: string]> = {
  'users.listBatchRows': [2, 'the batch'],
  'users.listImportRows': [2, 'the import'],
  'approvals.listApprovals': [2, 'how many wait for the reader'],
  'notifications.listNotifications': [2, 'deliveries of the page'],
  'webhooks.listDeliveries': [2, 'the endpoint'],
  'catalogue.listServices': [3, 'prices of the list and agreed with the organization, who sells to it'],
  'catalogue.adminListServices': [3, 'subscribers, who is interested'],
  'subscriptions.listSubscriptions': [7, 'services, prices, who sells, usage and quotas of the page'],
  'subscriptions.adminListSubscriptions': [7, 'services, prices, who sells, usage and quotas of the page'],
  'discounts.listDiscounts': [4, 'the console’s time zone, services and organizations of the page'],
  'discounts.listRedemptions': [2, 'the discount'],
  'connectors.listConnectors': [2, 'the subscriptions that pay'],
  'connectors.listPulls': [2, 'the connector'],
  'connectors.listResources': [2, 'the connector'],
  'costs.listCostSources': [4, 'the subscriptions that pay, rates and periods of the page'],
  'costs.listCostImports': [2, 'the source'],
  'eventstreams.listRejectedMessages': [2, 'the event stream'],
  'usage.events': [4, 'the subscription, its total from rollups, which months are in files'],
  'quotas.adminListRaises': [2, 'what is used now'],
  'topups.adminListTopUps': [2, 'the console’s time zone'],
  'audit.listAudit': [2, 'the console’s time zone'],
  'metrics.customers': [3, 'the whole month, the biggest'],
  'metrics.margin': [3, 'what all rows come to, the months’ revenue'],
  'metrics.forecastCustomers': [
    4,
    'the console’s time zone, the last close, the first month, what was planned',
  ],
  'metrics.receivables': [4, 'the console’s time zone, the whole, the ledger'],
  'billing.listCoveredBills': [2, 'whether a reseller sells to the organization'],
  'resellers.listCustomers': [3, 'the reseller, its customers'],
  'resellers.resellerBills': [3, 'the reseller, what it was charged'],
  'taxes.listTaxRates': [2, 'the console’s time zone'],
  'oneoffs.listMinimumSpends': [2, 'what bills added'],
  'oneoffs.listOneOffs': [2, 'how many await approval'],
  'einvoices.listEinvoices': [2, 'whether they are on'],
  'banking.listRows': [2, 'what rows were booked to'],
  'dunning.listDunned': [3, 'the schedule, payments in progress'],
  'books.accountStatement': [4, 'the account, its sums, the console’s time zone'],
};

/** What lists need besides their path parameters. */
const needed: Record<string, readonly string[]> = {
  'usage.events': ['subscriptionId'],
  'metrics.movements': ['currency', 'month'],
  'metrics.customers': ['currency', 'month'],
  'metrics.margin': ['currency', 'month'],
  'metrics.forecastCustomers': ['currency', 'month'],
  'metrics.receivables': ['currency'],
};

const hasPages = ({ method, output }: Route): boolean =>
  method === 'GET' &&
  'shape' in output &&
  ['items', 'nextCursor', 'total'].every((field) => Object.hasOwn(output.shape as object, field));
const lists = [
  ...features,
  monitoringFeature({ jobs: () => [], kinds: () => [] }),
  consoleFeature(() => []),
].flatMap(({ name: feature, contract, verbs }) =>
  Object.entries(contract)
    .filter(([, route]) => hasPages(route))
    .map(([name, route]) => ({ name: `${feature}.${name}`, route, verb: required(verbs[name], name) })),
);

let console: TestConsole;
let ids: Record<string, string>;

beforeAll(async () => {
  console = await createTestConsole();
  const admin = await setUp(console);
  await fillBooks(console, admin);
  const db = console.app.database.kysely;
  await sql`insert into quota_raise (id, subscription_id, organization_id, state, asked_limit, reason, used_then, limit_then, asked_by, asked_at)
    select 'rai_' || id, id, organization_id, 'open', 1, '', 0, 1, 'nobody', now() from subscription`.execute(
    db,
  );
  await sql`insert into webhook_endpoint (id, organization_id, url, description, secret, secret_hint, created_by, created_at)
    select 'whe_1', organization_id, 'https://example.com', '', '', '', 'nobody', now() from bill limit 1`.execute(
    db,
  );
  await sql`insert into reseller (organization_id, name, number_prefix, tax_rate, due_days, made_by, made_at) select organization_id, 'Shop', 'S', 5, 30, 'nobody', now() from webhook_endpoint`.execute(
    db,
  );
  await sql`insert into user_batch (id, action, state, created_by, created_at) select 'ubt_1', 'activate', 'done', id, now() from app_user limit 1`.execute(
    db,
  );
  await sql`insert into user_import (id, file_name, state, created_by, created_at) select 'uim_1', '', 'done', id, now() from app_user limit 1`.execute(
    db,
  );
  await sql`insert into discount (id, name_zh_tw, name_en_us, percent, duration, scope, max_per_organization, audience, organization_ids, created_at)
    select 'dsc_' || n, 'd', 'd', 10, 'forever', (select jsonb_agg(jsonb_build_object('serviceId', s.id, 'chargeKeys', null)) from service s), 1, 'named', array(select o.id from organization o), now() from generate_series(1, 30) n`.execute(
    db,
  );
  await sql`insert into connector (id, name, address, options, credential_kind, window_seconds, settle_seconds, mapping, read_until, next_pull_at, created_at)
    select 'con_' || n, n::text, 'https://example.com', '{"kind":"http_json"}', 'none', 3600, 0, '{"rules":[]}', now(), now(), now() from generate_series(1, 30) n`.execute(
    db,
  );
  await sql`insert into cost_source (id, name, place, rules, selling, created_at)
    select 'csr_' || n, n::text, '{"kind":"upload"}', '[]', '{"markUps":[],"minimums":[]}', now() from generate_series(1, 30) n`.execute(
    db,
  );
  await sql`insert into audit_export (id, name, target, secret_hint, sent_seq, sent_hash, next_try_at, created_at)
    select 'aex_' || n, n::text, '{"kind":"webhook","url":"https://example.com"}', '', 0, sha256(''), now(), now() from generate_series(1, 30) n`.execute(
    db,
  );
  const startAt = console.clock.now();
  const sandbox = { name: 'Partner', startAt, copyCatalogue: false };
  const { sandbox: made } = await console.ok(sandboxes.createSandbox, sandbox, { token: admin });
  atFileEnd(async () => {
    await console.ok(sandboxes.deleteSandbox, { sandboxId: made.id }, { token: admin });
  });
  await sql`insert into sandbox (id, name, database_name, state, start_at, clock_at, copies_catalogue, alive_at, last_used_at, created_by, created_at)
    select 'sbx_' || n, n::text, 'none_' || n, 'making', now(), now(), false, now(), now(), '', now() from generate_series(1, 30) n`.execute(
    db,
  );
  await sql`insert into event_stream (id, name, address, authority, options, credential_kind, format, expression, start, next_try_at, created_at)
    select 'est_' || n, n::text, 'nats://nats.example.com', '', '{"kind":"nats"}', 'none', 'cloudevents', '', 'earliest', now(), now() from generate_series(1, 30) n`.execute(
    db,
  );
  await sql`insert into discount_redemption (id, discount_id, organization_id, redeemed_at, first_month) select 'rdm_' || id, 'dsc_1', id, now(), '2024-10' from organization`.execute(
    db,
  );
  const { rows } = await sql<Record<string, string>>`select e.organization_id as "organizationId",
    (select id from subscription s where s.organization_id = e.organization_id limit 1) as "subscriptionId",
    (select id from ledger_account limit 1) as "accountId", (select id from app_user limit 1) as "userId" from webhook_endpoint e`.execute(
    db,
  );
  await sql`insert into minimum_spend (id, organization_id, currency, amount_minor, from_on, created_by, created_at)
    select 'msp_' || substr(id, 5), id, 'TWD', 1, '2030-01-01', 'test', now() from organization limit 2`.execute(
    db,
  );
  ids = {
    ...required(rows[0], 'an endpoint'),
    batchId: 'ubt_1',
    importId: 'uim_1',
    endpointId: 'whe_1',
    discountId: 'dsc_1',
    connectorId: 'con_1',
    streamId: 'est_1',
    sourceId: 'csr_1',
    sandboxId: made.id,
    currency: 'TWD',
    month: '2024-09',
  };
  await sql`insert into notification (id, user_id, kind, type, category, subject, period, text_key, params, created_at, channels)
    select 'ntf_' || n, ${ids['userId']}, 'any', 'info', 'system', n::text, '', 'any', '{}', now(), '{email}' from generate_series(1, 30) n`.execute(
    db,
  );
});

it.each(lists)('$name', async ({ name, route, verb }) => {
  const executed: string[] = [];
  const kysely = console.app.database.kysely.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      executed.push(name);
      return result;
    },
  });
  const app = { ...console.app, database: { ...console.app.database, kysely } };
  const isAdmin = typeof route.access === 'object' && !route.access.roles.includes('User');
  const actor: Actor = {
    kind: 'user',
    userId: ids['userId'] as Id<'usr'>,
    sessionId: 'ses_1' as Id<'ses'>,
    role: isAdmin ? 'Admin' : 'User',
    organizationId: isAdmin ? null : (ids['organizationId'] as Id<'org'>),
    name: 'Any',
    provedAt: console.clock.now(),
    mustEnrol: false,
    customRole: null,
  };
  const wanted = [...pathNames(route.path), ...(needed[name] ?? [])];
  const input = Object.fromEntries(wanted.map((field) => [field, ids[field]]));
  await unitOfWork(app, { actor, mode: 'read' }, (ctx) => verb(ctx, input as never, {} as never));
  expect(executed).toHaveLength(more[name]?.[0] ?? 1);
});
