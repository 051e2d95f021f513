// Queries about organizations for Admins, across the features that own the figures.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { Page } from '#kernel/shape.ts';
import type { In } from '#kernel/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  rowsCounted,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { OrganizationAccount, consoleContract } from './contract.ts';
import { isStopped } from './store.ts';

type Amount = { readonly currency: Currency; readonly minor: string };
type Row = Omit<OrganizationAccount, 'balances' | 'owed' | 'stopped'> & {
  readonly balances: readonly Amount[];
  readonly owed: readonly Amount[];
  readonly stopped: readonly { readonly service: string; readonly since: string }[];
};

const stateOf = sql`case when o.closed_at is not null then 'closed' else coalesce(h.level, 'active') end`;
const tables = sql`organization o left join subscription_hold h on h.organization_id = o.id`;
const amounts = (
  kind: 'balance' | 'receivable',
) => sql`(select coalesce(json_agg(json_build_object('currency', a.currency, 'minor', (${kind === 'balance' ? sql`-a.balance_minor` : sql`a.balance_minor`})::text) order by a.currency), '[]'::json)
  from ledger_account a where a.organization_id = o.id and a.kind = ${kind} and a.balance_minor <> 0)`;
const columns = sql<Row>`o.id, o.name, o.tax_id as "taxId", o.tax_status as "taxStatus", o.created_at as "createdAt", ${stateOf} as state, coalesce(o.closed_at, h.since) as "stateSince",
  case when o.closed_at is not null then o.closed_reason else coalesce(h.admin_reason, '') end as reason, exists (select from dunning_hold d where d.organization_id = o.id) as "isDunned",
  (select count(*)::int from app_user u where u.organization_id = o.id and u.status <> 'deleted') as members,
  (select count(*)::int from subscription s where s.organization_id = o.id and s.state not in ('canceled', 'expired')) as subscriptions,
  (select count(*)::int from bill b where b.organization_id = o.id and b.state = 'open') as "openBills",
  (select count(*)::int from api_key k where k.organization_id = o.id and k.revoked_at is null) as keys, ${amounts('balance')} as balances, ${amounts('receivable')} as owed,
  (select coalesce(json_agg(json_build_object('service', s.name, 'since', c.stopped_at) order by c.stopped_at, s.name), '[]'::json)
    from credit_cover c join service s on s.id = c.service_id where c.organization_id = o.id and ${isStopped}) as stopped,
  (select l.level from credit_limit_state l where l.organization_id = o.id and l.level <> 'within' order by l.level desc limit 1) as credit`;

const moneyOf = (all: readonly Amount[]): Money[] =>
  all.map(({ currency, minor }) => money(BigInt(minor), currency));
const toAccount = ({ balances, owed, stopped, ...row }: Row): OrganizationAccount => ({
  ...row,
  balances: moneyOf(balances),
  owed: moneyOf(owed),
  stopped: stopped.map(({ service, since }) => ({ service, since: new Date(since) })),
});

const order: ListOrder = {
  by: {
    name: { expression: sql`o.name`, cast: 'text' },
    createdAt: { expression: sql`o.created_at`, cast: 'timestamptz' },
  },
  usual: 'name',
  id: sql`o.id`,
};

/** One page of organizations with their figures. */
export function pageOfAccounts(
  ctx: Ctx,
  input: In<typeof consoleContract.listOrganizationAccounts>,
): Promise<Page<OrganizationAccount>> {
  const { q, state, metering, credit } = input;
  const pattern = q ? containsPattern(q) : undefined;
  const list = {
    columns,
    from: tables,
    where: allOf(
      pattern && sql`(o.name ilike ${pattern} or o.tax_id = ${q} or o.external_ref = ${q} or o.id = ${q})`,
      state && sql`${stateOf} = ${sql.lit(state)}`,
      metering && sql`exists (select from credit_cover c where c.organization_id = o.id and ${isStopped})`,
      credit &&
        sql`exists (select from credit_limit_state l where l.organization_id = o.id and l.level = ${credit})`,
    ),
    order,
    counter: q || state || metering || credit ? undefined : rowsCounted('organization'),
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, (row) => toAccount(rowItself(row)));
}

/** One organization with its figures. */
export async function accountById(
  ctx: Ctx,
  organizationId: string,
): Promise<OrganizationAccount | undefined> {
  const { rows } = await sql<Row>`select ${columns} from ${tables} where o.id = ${organizationId}`.execute(
    ctx.db,
  );
  return rows[0] && toAccount(rows[0]);
}

/** The dunning level at which an organization is suspended for unpaid bills; undefined when it is not. */
export async function dunnedLevel(
  ctx: Ctx,
  organizationId: Id<'org'>,
): Promise<'past_due' | 'suspended' | undefined> {
  const { rows } = await sql<{
    level: 'past_due' | 'suspended';
  }>`select level from dunning_hold where organization_id = ${organizationId} for update`.execute(ctx.db);
  return rows[0]?.level;
}
