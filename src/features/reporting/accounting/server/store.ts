// SQL of journals: the mapping of accounts, and the transactions that wait to be exported.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { currencies, currencyCodes, type Currency } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { AccountKind } from '#features/invoicing/ledger/rules.ts';
import type { Mapping } from '../contract.ts';
import type { EntrySum, MappingRule, TransactionCount } from '../rules.ts';

type MappingRow = MappingRule & { readonly id: Id<'jmp'>; readonly serviceName: string | null };

/**
 * Returns the mappings of all accounts and their parts: whole accounts first, then by currency, rate and
 * service.
 */
export async function allMappings(ctx: Ctx): Promise<MappingRow[]> {
  const { rows } =
    await sql<MappingRow>`select m.id, m.account_kind as "accountKind", m.currency, trim_scale(m.tax_rate)::text as "taxRate", m.service_id as "serviceId", s.name as "serviceName", m.code, m.name, m.department, m.tax_name as "taxName"
    from journal_mapping m left join service s on s.id = m.service_id
    order by m.account_kind, m.currency nulls first, m.tax_rate nulls first, s.name nulls first, m.id`.execute(
      ctx.db,
    );
  return rows;
}
export const toMapping = ({ serviceId, serviceName, ...row }: MappingRow): Mapping => ({
  id: row.id,
  accountKind: row.accountKind,
  currency: row.currency,
  taxRate: row.taxRate,
  service: serviceId === null ? null : { id: serviceId, name: serviceName ?? serviceId },
  code: row.code,
  name: row.name,
  department: row.department,
  taxName: row.taxName,
});

/** Sets the mapping of an account or a part of one; there is one row for each. */
export async function putMapping(ctx: Ctx, rule: MappingRule, userId: string): Promise<Id<'jmp'>> {
  const { rows } = await sql<{
    id: Id<'jmp'>;
  }>`insert into journal_mapping (id, account_kind, currency, tax_rate, service_id, code, name, department, tax_name, changed_at, changed_by)
    values (${ctx.newId('jmp')}, ${rule.accountKind}, ${rule.currency}, ${rule.taxRate}::numeric, ${rule.serviceId}, ${rule.code}, ${rule.name}, ${rule.department}, ${rule.taxName}, ${ctx.now}, ${userId})
    on conflict (account_kind, currency, tax_rate, service_id) do update set code = excluded.code, name = excluded.name, department = excluded.department, tax_name = excluded.tax_name, changed_at = excluded.changed_at, changed_by = excluded.changed_by
    returning id`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw new Error('a mapping that was stored is not there');
  return row.id;
}

/** Removes a mapping; undefined when it does not exist. */
export async function deleteMapping(ctx: Ctx, id: string): Promise<MappingRule | undefined> {
  const { rows } =
    await sql<MappingRule>`delete from journal_mapping where id = ${id} returning account_kind as "accountKind", currency, trim_scale(tax_rate)::text as "taxRate", service_id as "serviceId", code, name, department, tax_name as "taxName"`.execute(
      ctx.db,
    );
  return rows[0];
}

/** Returns the currencies in which accounts have entries, the rates of issued bills, and services. */
export async function splits(ctx: Ctx): Promise<{
  accounts: { kind: AccountKind; currency: Currency }[];
  taxRates: string[];
  services: { id: Id<'svc'>; name: string }[];
}> {
  const { rows: accounts } = await sql<{
    kind: AccountKind;
    currency: Currency;
  }>`select distinct kind, currency from ledger_account order by 1, 2`.execute(ctx.db);
  const { rows: rates } = await sql<{
    rate: string;
  }>`select trim_scale(rate)::text as rate from (select tax_rate as rate from bill where taxes is null union select (tax ->> 'rate')::numeric from bill cross join lateral jsonb_array_elements(taxes) as tax where taxes is not null) r where rate > 0 order by r.rate`.execute(
    ctx.db,
  );
  const { rows: services } = await sql<{
    id: Id<'svc'>;
    name: string;
  }>`select id, name from service order by name, id`.execute(ctx.db);
  return { accounts, taxRates: rates.map(({ rate }) => rate), services };
}

export async function serviceName(ctx: Ctx, serviceId: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select name from service where id = ${serviceId}`.execute(
    ctx.db,
  );
  return rows[0]?.name;
}

/** A time range as positions among the ledger's transactions, in a zone that determines the days. */
export type Scope = { readonly from: string; readonly until: string; readonly zone: string };
const within = ({ from, until }: Scope): RawBuilder<unknown> => sql`t.id >= ${from} and t.id < ${until}`;
const isWaiting = sql`not exists (select from journal_exported x where x.transaction_id = t.id)`;
const dayOfTransaction = (zone: string) => sql`(t.at at time zone ${zone})::date`;
/** Evaluated once per group: per row it would cost more than the rest of the query. */
const dayText = (day: string) => sql`to_char(${sql.ref(day)}, 'YYYY-MM-DD')`;

/**
 * Counts the waiting transactions by day, kind and currency. All entries of a transaction have one currency.
 */
export async function waitingCounts(ctx: Ctx, scope: Scope): Promise<TransactionCount[]> {
  const { rows } = await sql<TransactionCount>`
    select ${dayText('c.day')} as day, c.kind, c.currency, c.count from (
      select ${dayOfTransaction(scope.zone)} as day, t.kind, e.currency, count(*)::int as count
      from ledger_transaction t join ledger_entry e on e.transaction_id = t.id and e.position = 1 where ${within(scope)} and ${isWaiting} group by 1, 2, 3) c`.execute(
    ctx.db,
  );
  return rows;
}

/** The number of minor-unit digits of each currency. */
const currencyDigits = sql`values ${sql.join(
  currencyCodes.map((code) => sql`(${sql.lit(code)}::text, ${sql.lit(currencies[code].billingDigits)}::int)`),
)}`;

export type Split = { readonly byService: boolean; readonly byTaxRate: boolean };

/**
 * The revenue of each service in a transaction, credits positive. A bill: its lines except discounts,
 * promotional credit and commitment shortfalls, which are booked elsewhere, less the part deferred to later
 * months. A recognition: the revenue earned from earlier bills. Credit notes and voids reverse the part of
 * each line that is not deferred.
 */
const revenueParts = sql`
  select t.id, l.service_id, l.amount_minor::numeric as minor from scope t join bill_line l on l.bill_id = t.reference where t.kind = 'bill' and l.kind not in ('discount', 'promotional_credit', 'true_up') and (l.term is null or l.term -> 'shares' is null)
  union all select t.id, g.service_id, -round((share -> 'amount' ->> 'amount')::numeric * power(10::numeric, d.digits)) from scope t join bill b on b.id = t.reference join currency_digits d on d.currency = b.currency
    join bill_line l on l.bill_id = b.id and l.term is not null and l.kind not in ('discount', 'promotional_credit', 'true_up') cross join lateral jsonb_array_elements(l.term -> 'shares') as share join bill_line g on g.bill_id = b.id and g.position = (share ->> 'lineId')::int where t.kind = 'bill'
  union all select t.id, l.service_id, -s.minor from scope t join revenue_schedule s on s.bill_id = t.reference and s.source = '' join bill_line l on l.bill_id = s.bill_id and l.position = s.position where t.kind = 'bill'
  union all select t.id, l.service_id, s.minor from scope t join revenue_schedule s on s.recognition_id = t.reference join bill_line l on l.bill_id = s.bill_id and l.position = s.position where t.kind = 'recognition'
  union all select t.id, l.service_id, -n.net_minor from scope t join credit_note_line n on n.credit_note_id = t.reference join bill_line l on l.bill_id = n.bill_id and l.position = n.position where t.kind = 'credit_note' and l.kind <> 'true_up'
  union all select t.id, l.service_id, -s.minor from scope t join revenue_schedule s on s.source = t.reference join bill_line l on l.bill_id = s.bill_id and l.position = s.position where t.kind = 'credit_note'
  union all select t.id, l.service_id, -l.amount_minor from scope t join bill_line l on l.bill_id = t.reference where t.kind = 'void' and l.kind not in ('discount', 'promotional_credit', 'true_up') and (l.term is null or l.term -> 'shares' is null)
  union all select t.id, g.service_id, round((share -> 'amount' ->> 'amount')::numeric * power(10::numeric, d.digits)) from scope t join bill b on b.id = t.reference join currency_digits d on d.currency = b.currency
    join bill_line l on l.bill_id = b.id and l.term is not null and l.kind not in ('discount', 'promotional_credit', 'true_up') cross join lateral jsonb_array_elements(l.term -> 'shares') as share join bill_line g on g.bill_id = b.id and g.position = (share ->> 'lineId')::int where t.kind = 'void'
  union all select t.id, l.service_id, n.net_minor from scope t join credit_note_line n on n.bill_id = t.reference join bill_line l on l.bill_id = n.bill_id and l.position = n.position where t.kind = 'void' and l.kind <> 'true_up'
  union all select t.id, l.service_id, -s.minor from scope t join revenue_schedule s on s.bill_id = t.reference and s.source = 'void' join bill_line l on l.bill_id = s.bill_id and l.position = s.position where t.kind = 'void'`;

/** The tax of each rate in a transaction, credits positive, as in the tax report. */
const taxParts = sql`
  select t.id, x.rate, sum(x.minor) as minor from scope t join bill_tax_of_rate x on x.bill_id = t.reference where t.kind = 'bill' group by 1, 2
  union all select t.id, n.rate, -sum(n.minor) from scope t join note_tax_of_rate n on n.credit_note_id = t.reference where t.kind = 'credit_note' group by 1, 2
  union all select t.id, x.rate, -sum(x.minor) from scope t join bill_tax_of_rate x on x.bill_id = t.reference where t.kind = 'void' group by 1, 2
  union all select t.id, n.rate, sum(n.minor) from scope t join note_tax_of_rate n on n.bill_id = t.reference where t.kind = 'void' group by 1, 2`;

/**
 * Sums the waiting entries of a time range by day, kind of transaction, account and side; optionally revenue
 * by service and tax by rate. The part of an entry that belongs to no service or rate is separate, so that
 * the parts always add up to the entry.
 */
export async function waitingSums(ctx: Ctx, scope: Scope, split: Split): Promise<EntrySum[]> {
  const parts = split.byService
    ? sql`, revenue_part as (select id, service_id, sum(minor) as minor from (${revenueParts}) p where service_id is not null group by 1, 2 having sum(minor) <> 0)`
    : sql``;
  const rates = split.byTaxRate
    ? sql`, bill_tax_of_rate as (select b.id as bill_id, (tax ->> 'rate')::numeric as rate, round((tax -> 'tax' ->> 'amount')::numeric * power(10::numeric, d.digits)) as minor from bill b join currency_digits d on d.currency = b.currency cross join lateral jsonb_array_elements(b.taxes) as tax where b.id in (select reference from scope where kind in ('bill', 'void'))
        union all select b.id, b.tax_rate, b.tax_minor from bill b where b.taxes is null and b.id in (select reference from scope where kind in ('bill', 'void'))),
      note_tax_of_rate as (select n.credit_note_id, n.bill_id, coalesce((select (tax ->> 'rate')::numeric from jsonb_array_elements(b.taxes) as tax where tax -> 'lines' ? n.position::text limit 1), b.tax_rate) as rate, n.tax_minor::numeric as minor
        from credit_note_line n join bill b on b.id = n.bill_id where n.credit_note_id in (select reference from scope where kind = 'credit_note') or n.bill_id in (select reference from scope where kind = 'void')),
      tax_part as (select id, rate, sum(minor) as minor from (${taxParts}) p group by 1, 2 having sum(minor) <> 0)`
    : sql``;
  const whole = sql`select t.id, t.day, t.kind, e.currency, a.kind as account_kind, null::numeric as rate, null::text as service_id, e.amount_minor::numeric as minor
    from scope t join ledger_entry e on e.transaction_id = t.id join ledger_account a on a.id = e.account_id`;
  // A split entry is summed together with its parts; all others as they are.
  const isSplit = sql`(a.kind = any(${[...(split.byService ? ['revenue'] : []), ...(split.byTaxRate ? ['tax'] : [])]}::text[]))`;
  // Parts are subtracted from the whole entry and added beside it. Credits are negative in the ledger.
  const moved = (account: AccountKind, part: RawBuilder<unknown>, columns: RawBuilder<unknown>) => sql`
    union all select p.id, t.day, t.kind, e.currency, ${sql.lit(account)}, ${columns}, -p.minor from ${part} p join scope t on t.id = p.id join lateral (select min(currency) as currency from ledger_entry e where e.transaction_id = p.id) e on true
    union all select p.id, t.day, t.kind, e.currency, ${sql.lit(account)}, null, null, sum(p.minor) from ${part} p join scope t on t.id = p.id join lateral (select min(currency) as currency from ledger_entry e where e.transaction_id = p.id) e on true group by 1, 2, 3, 4`;
  const { rows } = await sql<{
    day: LocalDay;
    kind: EntrySum['kind'];
    currency: Currency;
    accountKind: AccountKind;
    taxRate: string | null;
    serviceId: Id<'svc'> | null;
    service: string | null;
    debit: string;
    credit: string;
  }>`with currency_digits (currency, digits) as (${currencyDigits}),
      scope as materialized (select t.id, t.kind, t.reference, ${dayOfTransaction(scope.zone)} as day from ledger_transaction t where ${within(scope)} and ${isWaiting})${parts}${rates}
    select ${dayText('g.day')} as day, g.kind, g.currency, g.account_kind as "accountKind", trim_scale(g.rate)::text as "taxRate", g.service_id as "serviceId", s.name as service, trunc(g.debit)::text as debit, trunc(g.credit)::text as credit
    from (select day, kind, currency, account_kind, rate, service_id, coalesce(sum(minor) filter (where minor > 0), 0) as debit, -coalesce(sum(minor) filter (where minor < 0), 0) as credit
      from (${whole} where not ${isSplit}
        union all select id, day, kind, currency, account_kind, rate, service_id, sum(minor) as minor from (${whole} where ${isSplit}
          ${split.byService ? moved('revenue', sql`revenue_part`, sql`null::numeric, p.service_id`) : sql``}
          ${split.byTaxRate ? moved('tax', sql`tax_part`, sql`p.rate, null::text`) : sql``}) each_part
        group by id, day, kind, currency, account_kind, rate, service_id having sum(minor) <> 0) p
      group by 1, 2, 3, 4, 5, 6) g left join service s on s.id = g.service_id
    order by 1, 2, 3, 4, 5 nulls first, 6 nulls first`.execute(ctx.db);
  return rows.map(({ debit, credit, ...row }) => ({ ...row, debit: BigInt(debit), credit: BigInt(credit) }));
}
