// Month close with terms: every organization has a percentage off, a commitment with a rate of its own, a minimum spend,
// and promotional and paid credit that the month's bill uses up. Beside it the same organizations before they had any terms.
import type pg from 'pg';
import { closeBySql, closeOnce, fill, makeServices, type Chunk } from './close.ts';
import { openDatabaseOf, type BenchConsole } from './console.ts';
import { print } from './figures.ts';

const organizations = 10_000;
const plain = { months: ['2024-01', '2024-02', '2024-03'], bare: ['2025-01', '2025-02', '2025-03'] };
const withTerms = { months: ['2024-04', '2024-05', '2024-06'], bare: ['2025-04', '2025-05', '2025-06'] };

/** Ids without order, as the yardstick makes them. */
const id = (prefix: string, of: string): string => `'${prefix}_' || substr(md5(${of}), 1, 26)`;

/** What stays for all months: a discount and a commitment that everybody has, and a minimum above what the services cost. */
async function agree(pool: pg.Pool): Promise<void> {
  await pool.query(
    `insert into discount (id, name_zh_tw, name_en_us, percent, duration, max_per_organization, audience, organization_ids, created_at) values ('dsc_bench', '九折', 'Ten percent off', 10, 'forever', 1, 'anyone', '{}', now())`,
  );
  await pool.query(
    `insert into discount_redemption (id, discount_id, organization_id, redeemed_at, first_month) select ${id('rdm', 'id')}, 'dsc_bench', id, now(), $1 from organization where name like 'Bench %'`,
    [withTerms.months[0]],
  );
  await pool.query(
    `insert into minimum_spend (id, organization_id, currency, amount_minor, from_on, created_by, created_at) select ${id('msp', 'id')}, id, 'TWD', 20000, to_date($1, 'YYYY-MM'), 'bench', now() from organization where name like 'Bench %'`,
    [withTerms.months[0]],
  );
  await pool.query(
    `insert into commitment (id, organization_id, name_zh_tw, name_en_us, currency, usage_only, starts_on, months, period, period_months, amounts_minor, committed_percent, overage_percent, last_month, note, created_at, created_by, creator_name)
      select ${id('cmt', 'id')}, id, '兩年承諾', 'Two years', 'TWD', false, $1::text, 24, 'contract', 24, '{100000000}', 90, 95, to_char(to_date($1::text, 'YYYY-MM') + interval '23 months', 'YYYY-MM'), '', now(), 'bench', 'Bench' from organization where name like 'Bench %'`,
    [withTerms.months[0]],
  );
  await pool.query('analyze');
}

/** Credit of a month: given and booked as the console does. */
async function grant(pool: pg.Pool, month: string): Promise<void> {
  await pool.query(
    `insert into credit_grant (id, organization_id, kind, origin, name_zh_tw, name_en_us, amount_minor, currency, priority, usage_only, starts_on, recurs, rolls_over, note, created_at, created_by, creator_name)
      select ${id('cgr', 'o.id || kind || $1')}, o.id, kind, 'admin', '點數', 'Credit', minor, 'TWD', 50, false, $1, false, false, '', now(), 'bench', 'Bench' from organization o, (values ('promotional', 500), ('paid', 700)) as k (kind, minor) where o.name like 'Bench %'`,
    [month],
  );
  await pool.query(
    `insert into credit_movement (id, grant_id, kind, month, minor, at, by_id) select ${id('cgm', `id || 'granted'`)}, id, 'granted', starts_on, amount_minor, now(), 'bench' from credit_grant where starts_on = $1`,
    [month],
  );
  await pool.query(
    `with given as (select g.id, ${id('ltx', `g.id || 'granted'`)} as tx, ${id('cgm', `g.id || 'granted'`)} as movement, case g.kind when 'paid' then 'deferred_revenue' else 'promotional_credit' end || ':' || g.organization_id || ':TWD' as account, case g.kind when 'paid' then 'deferred_revenue' else 'promotional_credit' end as kind, g.organization_id, g.amount_minor as minor from credit_grant g where g.starts_on = $1),
      accounts as (insert into ledger_account (id, kind, organization_id, currency) select account, kind, organization_id, 'TWD' from given union all values ('promotions:TWD', 'promotions', null, 'TWD') on conflict do nothing),
      booked as (insert into ledger_transaction (id, kind, reference, at) select tx, 'credit_grant', movement, now() from given)
    insert into ledger_entry (transaction_id, position, account_id, currency, amount_minor) select tx, 1, account, 'TWD', -minor from given union all select tx, 2, 'promotions:TWD', 'TWD', minor from given`,
    [month],
  );
  await pool.query('analyze');
}

/** Prints the figures of the close with terms, in pairs with the same by SQL, and those without terms. */
export async function benchCloseTerms(console: BenchConsole, admin: string): Promise<void> {
  const { pool, close } = await openDatabaseOf(console.dataDir, 2);
  await fill(
    pool,
    await makeServices(console, admin),
    organizations,
    [plain, withTerms].flatMap(({ months, bare }) => [...months, ...bare]),
  );
  const perSecond = async (run: () => Promise<void>): Promise<number> => {
    const began = performance.now();
    await run();
    return organizations / ((performance.now() - began) / 1000);
  };
  const [rates, bare, rated, bareRated]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (const [index, month] of plain.months.entries()) {
    bare.push(await perSecond(() => closeBySql(pool, plain.bare[index] ?? '')));
    rates.push(await closeOnce(console, admin, month, organizations));
  }
  await agree(pool);
  for (const [index, month] of withTerms.months.entries()) {
    const bareMonth = withTerms.bare[index] ?? '';
    await grant(pool, month);
    await grant(pool, bareMonth);
    bareRated.push(await perSecond(() => closeBySql(pool, bareMonth, termsChunk)));
    rated.push(await closeOnce(console, admin, month, organizations));
  }
  const against = (ours: readonly number[], theirs: readonly number[]): number[] =>
    ours.map((rate, index) => rate / (theirs[index] ?? 1));
  print(`bills/s of a close, ${organizations} organizations without terms`, rates, 'bills/s');
  print('the same by bare set-based SQL', bare, 'bills/s');
  print('the close against it', against(rates, bare), '×');
  print('bills/s of a close in which everybody has five terms', rated, 'bills/s');
  print('the same by bare set-based SQL', bareRated, 'bills/s');
  print('the close with terms against it', against(rated, bareRated), '×', { atLeast: 0.4 });
  print('the close with terms against the one without', against(rated, rates), '×');
  const { rows } = await pool.query<Record<string, string>>(
    `select count(*) as bills, min(lines) as fewest, max(lines) as most, sum(discount) as discounts, sum(rate) as rates, (select count(*) from commitment_use where drawn_minor > 0) as draws, sum(minimum) as minimums, sum(promotional) as promotional, sum(paid) as paid,
      (select count(*) from credit_grant where starts_on = any($1) and remaining_minor <> 0) as unused, (select sum(amount_minor) from ledger_entry) as unbalanced
      from (select b.id, count(*) as lines, count(*) filter (where l.kind = 'discount') as discount, count(*) filter (where l.kind = 'committed_rate') as rate, count(*) filter (where l.kind = 'minimum_spend') as minimum, count(*) filter (where l.kind = 'promotional_credit') as promotional, (max(b.paid_minor) = 700)::int as paid from bill b join bill_line l on l.bill_id = b.id where b.month = any($1) group by b.id) b`,
    [[...withTerms.months, ...withTerms.bare]],
  );
  process.stdout.write(`  bills with terms: ${JSON.stringify(rows[0])}\n`);
  await close();
}

const name = `jsonb_build_object('zhTW', '點數', 'enUS', 'Credit')`;
/** The yardstick with terms: the same rows as the console's, in the same tables with all their checks. */
const termsChunk: Chunk = {
  bills: `with due as (select o.id, row_number() over (order by o.id) as place from organization o where o.id > $2 and o.name like 'Bench %' and not exists (select from month_closed c where c.organization_id = o.id and c.month = $1) order by o.id limit 1000),
  line as (select d.id as org, d.place, b.id as sub, s.id as service, s.name, v.id as version, u.sum as quantity, u.sum * (v.pricing->>'unitPrice')::numeric as exact, round(u.sum * (v.pricing->>'unitPrice')::numeric) as amount, row_number() over (partition by d.id order by s.name) as position
    from due d join subscription b on b.organization_id = d.id join service s on s.id = b.service_id join price_version v on v.service_id = s.id join usage_month u on u.subscription_id = b.id and u.meter = '' and u.month = $1),
  whole as (select org, place, sum(amount)::bigint as gross, sum(round(amount * 0.1))::bigint as off, jsonb_agg(jsonb_build_object('lineId', position::text, 'amount', jsonb_build_object('amount', round(amount * 0.1)::text, 'currency', 'TWD'))) as shares,
    sum(round((amount - round(amount * 0.1)) * 0.1))::bigint as rate, jsonb_agg(jsonb_build_object('lineId', position::text, 'amount', jsonb_build_object('amount', round((amount - round(amount * 0.1)) * 0.1)::text, 'currency', 'TWD'))) as rate_shares from line group by 1, 2),
  agreed as (select w.*, r.id as redemption, m.id as minimum, t.id as commitment, greatest(0, m.amount_minor - (w.gross - w.off - w.rate)) as missing, p.id as promotional, p.remaining_minor as given, c.id as credit, c.remaining_minor as paid
    from whole w join discount_redemption r on r.organization_id = w.org join minimum_spend m on m.organization_id = w.org join commitment t on t.organization_id = w.org join credit_grant p on p.organization_id = w.org and p.kind = 'promotional' and p.starts_on = $1 join credit_grant c on c.organization_id = w.org and c.kind = 'paid' and c.starts_on = $1),
  series as (insert into bill_series as b (series, last_number) select 'B-' || replace($1, '-', ''), count(*) from agreed on conflict (series) do update set last_number = b.last_number + excluded.last_number returning last_number),
  made as (select ${id('bil', 'org || $1')} as id, ${id('ltx', 'org || $1')} as tx, ${id('pay', 'org || $1')} as payment, ${id('ltx', `org || $1 || 'paid'`)} as paid_tx, a.*, gross - off - rate + missing - given as net, round((gross - off - rate + missing - given) * 0.05)::bigint as tax, (select last_number - (select count(*) from agreed) from series) + place as number from agreed a),
  bills as (insert into bill (id, organization_id, month, currency, series, sequence, number, state, period_start, period_end, issued_at, due_at, net_minor, tax_rate, tax_minor, total_minor, paid_minor, discount_minor, promotional_minor, buyer, content_hash)
    select id, org, $1, 'TWD', 'B-' || replace($1, '-', ''), number, 'B-' || replace($1, '-', '') || '-' || lpad(number::text, 6, '0'), 'open', now(), now(), now(), now(), net, 5, tax, net + tax, paid, off, given, '{"name":"x","taxId":"","address":"","email":""}', encode(sha256(id::bytea), 'hex') from made),
  lines as (insert into bill_line (bill_id, position, kind, subscription_id, service_id, service_name, price_version_id, quantity, unit, unit_price, exact_amount, amount_minor, arithmetic)
    select m.id, l.position, 'usage', l.sub, l.service, l.name, l.version, l.quantity, 'GB', 0.37, l.exact, l.amount, jsonb_build_array(jsonb_build_object('kind', 'unit', 'from', null, 'upTo', null, 'quantity', l.quantity::text, 'unitPrice', '0.37', 'amount', l.exact::text)) from made m join line l on l.org = m.org),
  terms as (insert into bill_line (bill_id, position, kind, service_name, quantity, unit, exact_amount, amount_minor, arithmetic, term)
    select m.id, t.position, t.kind, '', 1, '', t.minor, t.minor, t.steps, t.term from made m cross join lateral (values
      (4, 'discount', -off, '[]'::jsonb, jsonb_build_object('id', redemption, 'name', ${name}, 'shares', shares, 'reduction', jsonb_build_object('kind', 'percent', 'percent', '10', 'maximum', null))),
      (5, 'committed_rate', -rate, '[]'::jsonb, jsonb_build_object('id', commitment, 'name', ${name}, 'percent', '90', 'shares', rate_shares)),
      (6, 'minimum_spend', missing, jsonb_build_array(jsonb_build_object('kind', 'agreed', 'amount', '20000', 'quantity', '1', 'unitPrice', '0', 'from', null, 'upTo', null), jsonb_build_object('kind', 'charged', 'amount', (off + rate - gross)::text, 'quantity', '1', 'unitPrice', '0', 'from', null, 'upTo', null)), jsonb_build_object('id', minimum, 'name', ${name})),
      (7, 'promotional_credit', -given, '[]'::jsonb, jsonb_build_object('id', promotional, 'name', ${name}, 'shares', shares))) as t (position, kind, minor, steps, term)),
  held as (update discount_redemption r set version = r.version + 1 from made m where r.id = m.redemption),
  committed as (update commitment c set version = c.version + 1 from made m where c.id = m.commitment),
  drawn as (insert into commitment_use (commitment_id, bill_id, bill_number, month, period, drawn_minor, true_up_minor, is_settlement, at)
    select commitment, id, 'B-' || replace($1, '-', '') || '-' || lpad(number::text, 6, '0'), $1, 0, gross - off - rate, 0, false, now() from made),
  applied as (insert into discount_application (redemption_id, bill_id, bill_number, month, currency, minor) select redemption, id, 'B-' || replace($1, '-', '') || '-' || lpad(number::text, 6, '0'), $1, 'TWD', off from made),
  used as (insert into credit_movement (id, grant_id, kind, month, minor, bill_id, bill_number, at, by_id)
    select ${id('cgm', 'u.credit || m.id')}, u.credit, 'used', $1, -u.minor, m.id, 'B-' || replace($1, '-', '') || '-' || lpad(m.number::text, 6, '0'), now(), 'system' from made m cross join lateral (values (m.promotional, m.given), (m.credit, m.paid)) as u (credit, minor)),
  paid as (insert into payment (id, organization_id, bill_id, method, state, amount_minor, currency, note, created_at, created_by, settled_at, settled_by, language, received_minor, received_currency, to_bill_minor, parties)
    select payment, org, id, 'prepaid_credit', 'succeeded', paid, 'TWD', '', now(), 'bench', now(), 'bench', 'zhTW', paid, 'TWD', paid, '{"seller":{"name":"x","taxId":"","address":"","email":""},"buyer":{"name":"x","taxId":"","address":"","email":""},"timeZone":"Asia/Taipei"}' from made),
  booked as (insert into ledger_transaction (id, kind, reference, at) select tx, 'bill', id, now() from made union all select paid_tx, 'payment', payment, now() from made),
  accounts as (insert into ledger_account (id, kind, organization_id, currency) select 'receivable:' || org || ':TWD', 'receivable', org, 'TWD' from made union all values ('revenue:TWD', 'revenue', null, 'TWD'), ('discounts:TWD', 'discounts', null, 'TWD'), ('tax:TWD', 'tax', null, 'TWD') on conflict do nothing),
  closed as (insert into month_closed (organization_id, month, closed_at) select id, $1, now() from due)
  select max(id) as last from due`,
  entries: `insert into ledger_entry (transaction_id, position, account_id, currency, amount_minor)
  select case when e.position < 6 then 'ltx_' || substr(b.id, 5) else ${id('ltx', `b.organization_id || $1 || 'paid'`)} end, e.position, e.account, 'TWD', e.minor from bill b cross join lateral (values (1, 'receivable:' || b.organization_id || ':TWD', b.total_minor), (2, 'discounts:TWD', b.discount_minor), (3, 'promotional_credit:' || b.organization_id || ':TWD', b.promotional_minor), (4, 'revenue:TWD', -(b.net_minor + b.discount_minor + b.promotional_minor)), (5, 'tax:TWD', -b.tax_minor),
    (6, 'deferred_revenue:' || b.organization_id || ':TWD', b.paid_minor), (7, 'receivable:' || b.organization_id || ':TWD', -b.paid_minor)) as e (position, account, minor)
  where b.month = $1 and b.organization_id > $2 and b.organization_id <= $3`,
};
