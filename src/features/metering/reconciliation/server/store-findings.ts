// SQL of reconciliation's findings and of ignored resources.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { Page } from '#kernel/shape.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  type ListOrder,
  type SearchInput,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { ItemKind } from '#features/metering/connectors/contract-sources.ts';
import type { Finding, FindingCause, FindingKind, IgnoredEntry } from '../contract.ts';

export type NewFinding = {
  readonly resource: string;
  readonly kind: FindingKind;
  readonly cause: FindingCause;
  readonly itemKind: ItemKind;
  readonly name: string;
  readonly project: string;
  readonly size: string;
  readonly billedSize: string;
  readonly since: Date | null;
  readonly itemState: string;
  readonly subscriptionId: string | null;
  readonly ownerId: string | null;
  readonly serviceId: string | null;
  readonly amount: Money | null;
  readonly fields: unknown;
};

/**
 * Replaces the findings of a connector with the current ones: known findings keep their first time, resolved
 * ones are deleted.
 */
export async function replaceFindings(
  ctx: Ctx,
  connectorId: string,
  found: readonly NewFinding[],
): Promise<void> {
  const rows = found.map((each) => ({
    id: ctx.newId('rcf'),
    resource: each.resource,
    kind: each.kind,
    cause: each.cause,
    item_kind: each.itemKind,
    name: each.name,
    project: each.project,
    size: each.size,
    billed_size: each.billedSize,
    since: each.since,
    item_state: each.itemState,
    subscription_id: each.subscriptionId,
    owner_id: each.ownerId,
    service_id: each.serviceId,
    amount_minor: each.amount && String(each.amount.minor),
    currency: each.amount?.currency ?? null,
    fields: each.fields,
  }));
  await sql`insert into reconciliation_finding as f (connector_id, first_found_at, last_found_at, id, resource, kind, cause, item_kind, name, project, size, billed_size, since, item_state, subscription_id, owner_id, service_id, amount_minor, currency, fields)
    select ${connectorId}, ${ctx.now}, ${ctx.now}, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id text, resource text, kind text, cause text, item_kind text, name text, project text, size text, billed_size text, since timestamptz, item_state text, subscription_id text, owner_id text, service_id text, amount_minor bigint, currency char(3), fields jsonb)
    order by r.resource, r.kind
    on conflict (connector_id, resource, kind) do update set cause = excluded.cause, item_kind = excluded.item_kind, name = excluded.name, project = excluded.project, size = excluded.size, billed_size = excluded.billed_size, since = excluded.since, item_state = excluded.item_state,
      subscription_id = excluded.subscription_id, owner_id = excluded.owner_id, service_id = excluded.service_id, amount_minor = excluded.amount_minor, currency = excluded.currency, fields = excluded.fields, last_found_at = excluded.last_found_at`.execute(
    ctx.db,
  );
  await sql`delete from reconciliation_finding f where connector_id = ${connectorId} and not exists
    (select from unnest(${found.map(({ resource }) => resource)}::text[], ${found.map(({ kind }) => kind)}::text[]) as n (resource, kind) where n.resource = f.resource and n.kind = f.kind)`.execute(
    ctx.db,
  );
}

/** Returns when existing resources were first found unbilled, by resource. */
export async function firstFound(ctx: Ctx, connectorId: string): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await sql<{
    resource: string;
    at: Date;
  }>`select resource, first_found_at as at from reconciliation_finding where connector_id = ${connectorId} and kind = 'unbilled'`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ resource, at }) => [resource, at]));
}

/** Deletes a resolved finding. */
export async function deleteFinding(ctx: Ctx, findingId: string): Promise<void> {
  await sql`delete from reconciliation_finding where id = ${findingId}`.execute(ctx.db);
}

type FindingRow = Omit<Finding, 'amount' | 'fields' | 'connector' | 'ignored'> & {
  connectorId: Id<'con'>;
  connectorName: string;
  amountMinor: bigint | null;
  currency: Currency | null;
  ignoredReason: string | null;
  ignoredBy: string | null;
  ignoredAt: Date | null;
  fields: unknown;
};

const payer = (column: 'subscription_id' | 'owner_id') =>
  sql`(select jsonb_build_object('id', b.id, 'name', s.name, 'organizationId', o.id, 'organization', o.name) from subscription b join service s on s.id = b.service_id join organization o on o.id = b.organization_id where b.id = ${sql.ref(`f.${column}`)})`;
// The organization that most recently paid for another resource of the same project at the same connector.
const suggested = sql`(select jsonb_build_object('id', o.id, 'name', o.name) from connector_resource r join subscription b on b.id = r.subscription_id join organization o on o.id = b.organization_id
  where f.kind = 'unbilled' and f.project <> '' and r.connector_id = f.connector_id and r.fields ->> 'project' = f.project order by r.last_seen_at desc limit 1)`;
const columns = sql<FindingRow>`f.id, f.kind, f.cause, c.id as "connectorId", c.name as "connectorName", f.resource, f.item_kind as "itemKind", f.name, f.project, f.size, f.billed_size as "billedSize", f.since, f.item_state as "itemState",
  ${payer('subscription_id')} as subscription, ${payer('owner_id')} as owner, ${suggested} as suggested,
  (select jsonb_build_object('id', s.id, 'name', s.name) from service s where s.id = f.service_id) as service,
  f.amount_minor as "amountMinor", f.currency, f.first_found_at as "firstFoundAt", f.last_found_at as "lastFoundAt", i.reason as "ignoredReason", (select u.name from app_user u where u.id = i.ignored_by) as "ignoredBy", i.ignored_at as "ignoredAt", f.fields`;
const tables = sql`reconciliation_finding f join connector c on c.id = f.connector_id
  left join reconciliation_ignored i on i.connector_id = f.connector_id and i.resource = f.resource and i.kind = f.kind and i.undone_at is null`;

const toFinding = ({
  connectorId,
  connectorName,
  amountMinor,
  currency,
  ignoredReason,
  ignoredBy,
  ignoredAt,
  fields,
  ...row
}: FindingRow): Finding => ({
  ...row,
  connector: { id: connectorId, name: connectorName },
  amount: amountMinor === null || currency === null ? null : money(amountMinor, currency),
  ignored: ignoredAt && { reason: ignoredReason ?? '', by: ignoredBy ?? '', at: ignoredAt },
  fields: JSON.stringify(fields),
});

const order: ListOrder = {
  by: {
    amount: { expression: sql`coalesce(f.amount_minor, -1)`, cast: 'bigint' },
    name: { expression: sql`f.name`, cast: 'text' },
    firstFoundAt: { expression: sql`f.first_found_at`, cast: 'timestamptz' },
  },
  usual: '-amount',
  id: sql`f.id`,
};

/** One page of findings. */
export const pageOfFindings = (
  ctx: Ctx,
  input: SearchInput & {
    kind?: FindingKind | undefined;
    state?: 'open' | 'ignored' | undefined;
    connectorId?: string | undefined;
  },
): Promise<Page<Finding>> =>
  readPage(
    ctx.db,
    input,
    {
      columns,
      from: tables,
      where: allOf(
        input.kind && sql`f.kind = ${input.kind}`,
        input.connectorId && sql`f.connector_id = ${input.connectorId}`,
        input.state && (input.state === 'ignored' ? sql`i.id is not null` : sql`i.id is null`),
        input.q &&
          sql`(f.resource || E'\n' || f.name || E'\n' || f.project) ilike ${containsPattern(input.q)}`,
      ),
      order,
    },
    (row) => toFinding(rowItself(row) as FindingRow),
  );

/** One finding. */
export async function findingById(ctx: Ctx, findingId: string): Promise<Finding | undefined> {
  const { rows } = await sql<FindingRow>`select ${columns} from ${tables} where f.id = ${findingId}`.execute(
    ctx.db,
  );
  return rows[0] && toFinding(rows[0]);
}

/**
 * Locks a connector's findings: until the transaction ends, no one else can record or decide on them. Must be
 * taken before a finding's own row is locked.
 */
export const lockFindings = (ctx: Ctx, connectorId: string): Promise<void> =>
  lockUntilEnd(ctx, `reconciliation ${connectorId}`);

/** Returns one finding, locked: until the transaction ends, no one else can decide on it. */
export async function lockFinding(ctx: Ctx, findingId: string): Promise<Finding | undefined> {
  await sql`select from reconciliation_finding where id = ${findingId} for update`.execute(ctx.db);
  return findingById(ctx, findingId);
}

export type KindTotal = { readonly kind: FindingKind; readonly amount: Money };
/** Returns the totals and the number of findings that are not ignored, by kind and currency. */
export async function findingTotals(ctx: Pick<Ctx, 'db'>): Promise<{
  readonly totals: KindTotal[];
  readonly counts: { unbilled: number; ghost: number; differs: number; ignored: number };
}> {
  const { rows } = await sql<{
    kind: FindingKind;
    currency: Currency | null;
    isIgnored: boolean;
    total: bigint;
    amount: bigint | null;
  }>`select f.kind, f.currency, i.id is not null as "isIgnored", count(*) as total, sum(f.amount_minor)::bigint as amount from ${tables} group by 1, 2, 3 order by 1, 2`.execute(
    ctx.db,
  );
  const counts = { unbilled: 0, ghost: 0, differs: 0, ignored: 0 };
  for (const { kind, isIgnored, total } of rows) counts[isIgnored ? 'ignored' : kind] += Number(total);
  return {
    counts,
    totals: rows.flatMap(({ kind, currency, isIgnored, amount }) =>
      isIgnored || currency === null || amount === null ? [] : [{ kind, amount: money(amount, currency) }],
    ),
  };
}

/** Ignores a finding by its resource's name, so that it stays ignored when it is found again. */
export async function insertIgnored(
  ctx: Ctx,
  finding: Pick<Finding, 'connector' | 'resource' | 'kind'>,
  reason: string,
  by: string,
): Promise<void> {
  await sql`insert into reconciliation_ignored (id, connector_id, resource, kind, reason, ignored_by, ignored_at)
    values (${ctx.newId('rci')}, ${finding.connector.id}, ${finding.resource}, ${finding.kind}, ${reason}, ${by}, ${ctx.now})`.execute(
    ctx.db,
  );
}

export async function undoIgnored(
  ctx: Ctx,
  finding: Pick<Finding, 'connector' | 'resource' | 'kind'>,
  by: string,
): Promise<void> {
  await sql`update reconciliation_ignored set undone_by = ${by}, undone_at = ${ctx.now} where connector_id = ${finding.connector.id} and resource = ${finding.resource} and kind = ${finding.kind} and undone_at is null`.execute(
    ctx.db,
  );
}

/** Returns one page of ignored resources, including ones no longer ignored. */
export const pageOfIgnored = (ctx: Ctx, input: SearchInput): Promise<Page<IgnoredEntry>> =>
  readPage(
    ctx.db,
    input,
    {
      columns: sql<IgnoredEntry>`i.id, (select f.id from reconciliation_finding f where i.undone_at is null and f.connector_id = i.connector_id and f.resource = i.resource and f.kind = i.kind) as "findingId", i.resource, i.kind, c.name as connector, i.reason, coalesce((select u.name from app_user u where u.id = i.ignored_by), '') as "ignoredBy", i.ignored_at as "ignoredAt", (select u.name from app_user u where u.id = i.undone_by) as "undoneBy", i.undone_at as "undoneAt"`,
      from: sql`reconciliation_ignored i join connector c on c.id = i.connector_id`,
      where: allOf(input.q && sql`(i.resource || E'\n' || i.reason) ilike ${containsPattern(input.q)}`),
      order: {
        by: { ignoredAt: { expression: sql`i.ignored_at`, cast: 'timestamptz' } },
        usual: '-ignoredAt',
        id: sql`i.id`,
      },
    },
    (row) => rowItself(row) as IgnoredEntry,
  );
