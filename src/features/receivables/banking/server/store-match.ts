// SQL of matching: open rows, expected payments, and known payers.
import { sql } from 'kysely';
import { money, type Currency, absolute } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { containsPattern } from '#platform/server/database/paging.ts';
import type { BankTarget } from '../contract.ts';
import type { Id } from '#kernel/ids.ts';
import { codeOf, type ExpectedPayment, type MatchRow, type Proposal } from '../rules-match.ts';

const maxWaiting = 20_000;

/** The undecided rows of each currency, locked; rows locked by another transaction are skipped. */
export async function lockWaiting(ctx: Ctx): Promise<Map<Currency, MatchRow[]>> {
  const { rows } = await sql<
    MatchRow & { currency: Currency }
  >`select id, amount_minor as minor, words, payer_name as "payerName", payer_account as "payerAccount", currency from bank_row where state in ('open', 'matched') order by id limit ${maxWaiting} for update skip locked`.execute(
    ctx.db,
  );
  return Map.groupBy(rows, (row) => row.currency);
}

type Found = {
  kind: BankTarget['kind'];
  id: string;
  organization_id: Id<'org'>;
  organization: string;
  name: string;
  bill_number: string | null;
  minor: bigint | null;
  currency: Currency | null;
};
const transfers = sql`select 'transfer' as kind, p.id, p.organization_id, o.name as organization, 'PAY-' || upper(right(p.id, 8)) as name, coalesce(b.number, k.number) as bill_number, p.amount_minor as minor, p.currency
  from payment p join organization o on o.id = p.organization_id left join bill b on b.id = p.bill_id left join consolidated_bill k on k.id = p.consolidated_id where p.method in ('manual', 'bank_transfer')`;
const bills = sql`select 'bill' as kind, b.id, b.organization_id, o.name as organization, b.number as name, b.number as bill_number, b.total_minor - b.paid_minor - b.credited_minor as minor, b.currency from bill b join organization o on o.id = b.organization_id where true`;
/** The total due of the open bills on a consolidated bill. */
const consolidated = sql`select 'consolidated' as kind, k.id, k.organization_id, o.name as organization, k.number as name, k.number as bill_number, d.minor, k.currency
  from consolidated_bill k join organization o on o.id = k.organization_id
    cross join lateral (select sum(b.total_minor - b.paid_minor - b.credited_minor)::bigint as minor from consolidated_bill_part x join bill b on b.id = x.bill_id where x.consolidated_id = k.id and b.state = 'open') d where true`;
const balances = sql`select 'balance' as kind, o.id, o.id as organization_id, o.name as organization, '' as name, null::text as bill_number, null::bigint as minor, null::char(3) as currency from organization o where true`;
const refunds = sql`select 'refund' as kind, r.id, r.organization_id, o.name as organization, 'PAY-' || upper(right(p.id, 8)) as name, b.number as bill_number, -r.amount_minor as minor, r.currency
  from payment_refund r join payment p on p.id = r.payment_id join organization o on o.id = r.organization_id left join bill b on b.id = p.bill_id where p.method in ('manual', 'bank_transfer') and r.origin = 'admin' and r.state = 'succeeded'`;
const waits = sql`p.state = 'pending'`;
/** A bill for which a transfer is announced is awaited as that transfer. */
const isAnnounced = sql`a.state = 'pending' and a.method = 'bank_transfer'`;
const isDue = sql`b.state = 'open' and not exists (select from payment a where a.bill_id = b.id and ${isAnnounced})`;
const isDueTogether = sql`d.minor > 0 and not exists (select from payment a where a.consolidated_id = k.id and ${isAnnounced})`;
/**
 * If a bill is on a consolidated bill, the latter is expected to be paid: the single bill's amount is no
 * indication.
 */
const isOnNone = sql`not exists (select from consolidated_bill_part x where x.bill_id = b.id)`;
const isUnseen = sql`not exists (select from bank_application a where a.refund_id = r.id and a.undone_at is null)`;

const toTarget = (row: Found): BankTarget => ({
  kind: row.kind,
  id: row.id,
  organizationId: row.organization_id,
  organization: row.organization,
  name: row.name,
  billNumber: row.bill_number,
  amount: row.minor === null || row.currency === null ? null : money(row.minor, row.currency),
});

/**
 * Expected payments with one of the codes or one of the amounts. All with such an amount are needed, because
 * an amount is certain only when it occurs once.
 */
export async function expectedPayments(
  ctx: Ctx,
  currency: Currency,
  codes: readonly string[],
  minors: readonly bigint[],
): Promise<ExpectedPayment[]> {
  const references = codes.filter((code) => code.startsWith('PAY')).map((code) => code.slice(3));
  const numbers = codes.flatMap((code) => {
    const [, series, month, number] = /^(C?B)(\d{6})(\d+)$/.exec(code) ?? [];
    return series === undefined ? [] : [`${series}-${month}-${number}`];
  });
  const amounts = minors.map((minor) => absolute(minor));
  const { rows } = await sql<Found & { kind: ExpectedPayment['kind']; minor: bigint }>`
    ${transfers} and ${waits} and p.currency = ${currency} and (upper(right(p.id, 8)) = any(${references}::text[]) or coalesce(b.number, k.number) = any(${numbers}::text[]) or p.amount_minor = any(${amounts}::bigint[]))
    union all ${bills} and ${isDue} and b.currency = ${currency} and (b.number = any(${numbers}::text[]) or ${isOnNone} and b.total_minor - b.paid_minor - b.credited_minor = any(${amounts}::bigint[]))
    union all ${consolidated} and ${isDueTogether} and k.currency = ${currency} and (k.number = any(${numbers}::text[]) or d.minor = any(${amounts}::bigint[]))
    union all ${refunds} and ${isUnseen} and r.currency = ${currency} and (upper(right(p.id, 8)) = any(${references}::text[]) or r.amount_minor = any(${amounts}::bigint[]))`.execute(
    ctx.db,
  );
  return rows.map((row) => ({
    kind: row.kind,
    id: row.id,
    codes: [...new Set([row.name, ...(row.bill_number === null ? [] : [row.bill_number])].map(codeOf))],
    organizationId: row.organization_id,
    organization: row.organization,
    minor: row.minor,
  }));
}

/** Returns the organizations for which a payer has paid before, by key. */
export async function organizationsByPayer(
  ctx: Ctx,
  keys: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{
    key: string;
    organization_id: string;
  }>`select key, organization_id from bank_payer where key = any(${[...keys]}::text[])`.execute(ctx.db);
  const found = new Map<string, string[]>();
  for (const row of rows) found.set(row.key, [...(found.get(row.key) ?? []), row.organization_id]);
  return found;
}

export async function rememberPayer(
  ctx: Ctx,
  keys: readonly string[],
  organizationId: string,
): Promise<void> {
  await sql`insert into bank_payer (key, organization_id, times, used_at) select key, ${organizationId}, 1, ${ctx.now} from unnest(${[...keys].toSorted()}::text[]) as key
    on conflict (key, organization_id) do update set times = bank_payer.times + 1, used_at = excluded.used_at`.execute(
    ctx.db,
  );
}

export async function forgetPayer(
  ctx: Ctx,
  keys: readonly string[],
  organizationIds: readonly string[],
): Promise<void> {
  await sql`delete from bank_payer where key = any(${[...keys]}::text[]) and organization_id = any(${[...organizationIds]}::text[])`.execute(
    ctx.db,
  );
}

/** Stores the proposals of locked rows; rows without a proposal become open. */
export async function storeProposals(
  ctx: Ctx,
  rowIds: readonly string[],
  proposals: readonly Proposal[],
): Promise<void> {
  await sql`update bank_row r set state = case when p.id is null then 'open' else 'matched' end, certainty = p.certainty, reason = p.reason, target_kind = p.kind, target_id = p.target
    from unnest(${[...rowIds]}::text[]) as w (id) left join unnest(${proposals.map((each) => each.rowId)}::text[], ${proposals.map((each) => each.certainty)}::text[], ${proposals.map((each) => each.reason)}::text[], ${proposals.map((each) => each.target.kind)}::text[],
      ${proposals.map((each) => each.target.id)}::text[]) as p (id, certainty, reason, kind, target) on p.id = w.id
    where r.id = w.id and (r.target_id, r.certainty, r.reason, r.target_kind) is distinct from (p.target, p.certainty, p.reason, p.kind)`.execute(
    ctx.db,
  );
}

/** Returns the names of targets by `kind id`, including settled ones. */
export async function targetsOf(
  ctx: Ctx,
  wanted: readonly { kind: BankTarget['kind']; id: string }[],
): Promise<Map<string, BankTarget>> {
  const ids = wanted.map((each) => each.id);
  if (ids.length === 0) return new Map();
  const { rows } =
    await sql<Found>`${transfers} and p.id = any(${ids}::text[]) union all ${bills} and b.id = any(${ids}::text[]) union all ${consolidated} and k.id = any(${ids}::text[]) union all ${balances} and o.id = any(${ids}::text[]) union all ${refunds} and r.id = any(${ids}::text[])`.execute(
      ctx.db,
    );
  return new Map(rows.map((row) => [`${row.kind} ${row.id}`, toTarget(row)]));
}

const shownTargets = 12;

/** Returns the possible targets of a row, those with its amount first. */
export async function searchTargets(
  ctx: Ctx,
  currency: Currency,
  minor: bigint,
  q: string,
): Promise<BankTarget[]> {
  const pattern = containsPattern(q.trim());
  const amount = absolute(minor);
  const isIn = minor > 0n;
  const { rows } = await sql<Found>`
    (${transfers} and ${isIn}::boolean and ${waits} and p.currency = ${currency} and (o.name ilike ${pattern} or coalesce(b.number, k.number) ilike ${pattern} or ('PAY-' || upper(right(p.id, 8))) ilike ${pattern}) order by p.amount_minor = ${amount} desc, p.created_at limit ${shownTargets})
    union all (${bills} and ${isIn}::boolean and b.state = 'open' and b.currency = ${currency} and (o.name ilike ${pattern} or b.number ilike ${pattern}) order by b.total_minor - b.paid_minor - b.credited_minor = ${amount} desc, b.issued_at, b.number limit ${shownTargets})
    union all (${consolidated} and ${isIn}::boolean and d.minor > 0 and k.currency = ${currency} and (o.name ilike ${pattern} or k.number ilike ${pattern}) order by d.minor = ${amount} desc, k.issued_at, k.number limit ${shownTargets})
    union all (${refunds} and ${!isIn}::boolean and ${isUnseen} and r.currency = ${currency} and (o.name ilike ${pattern} or ('PAY-' || upper(right(p.id, 8))) ilike ${pattern}) order by r.amount_minor = ${amount} desc, r.created_at limit ${shownTargets})
    union all (${balances} and ${isIn}::boolean and o.name ilike ${pattern} order by o.name, o.id limit ${shownTargets})`.execute(
    ctx.db,
  );
  return rows.map(toTarget);
}
