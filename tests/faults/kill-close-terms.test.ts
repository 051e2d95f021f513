// A close in which everybody has a discount, a commitment, credit, a one-off charge and a minimum spend,
// killed and run by two consoles at once: each term is used once, as in an undisturbed close (R-BILL-05).
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeId, type IdPrefix } from '#kernel/ids.ts';
import { connection } from '../../verify/connection.ts';
import { foundBy } from '../../verify/test-found.ts';
import { billed, close, databaseOfProcesses, type Query } from '../support/closing.ts';
import { isLong, roundsOr } from '../support/fault-rounds.ts';
import {
  killProcess,
  makeDataDir,
  processApi as api,
  setUpProcess,
  signInProcess as signIn,
  startProcess,
  type ProcessConsole,
} from '../support/process.ts';

// `npm run faults` runs many more rounds.
const rounds = roundsOr(2);
// A close begins with a chunk of 100 and continues with up to 500: two commits of each console, or three with
// `npm run faults`.
const organizations = isLong ? 900 : 300;
// A month is killed twice and closed to its end before the next one, so that its terms are used in it.
const undisturbed = '2010-01';
const months = Array.from({ length: Math.ceil(rounds / 2) }, (_, index) =>
  new Date(Date.UTC(2010, 1 + index)).toISOString().slice(0, 7),
);

const made = Date.parse('2009-12-01T00:00:00Z');
const ids = (prefix: IdPrefix, count = organizations) =>
  Array.from({ length: count }, () => encodeId(prefix, made, randomBytes(10)));
/** The number of an organization, the same in every month. */
const numberOf = (what: string, most: number): string => `(hashtext('${what}' || o.id) & 65535) % ${most}`;

/** Customers who pay for one to sixteen seats a month. */
async function subscribeAll(db: Query, console: ProcessConsole, admin: string): Promise<void> {
  const name = { zhTW: 'seats', enUS: 'seats' };
  const charges = [{ key: 'seats', name, kind: 'recurring', model: 'per_unit', unitPrice: '133.35' }];
  const service = { name: 'Cloud', type: 'Test', category: 'Test', currency: 'TWD', charges };
  const { id: serviceId } = await api(console, 'POST', '/admin/services', service, admin);
  const owners = ids('org');
  await db.query(
    `insert into organization (id, name, time_zone, language, created_at) select id, 'Customer ' || id, 'Asia/Taipei', 'zhTW', '2009-12-01' from unnest($1::text[]) as id`,
    [owners],
  );
  await db.query(
    `insert into subscription (id, organization_id, service_id, state, started_at, created_at) select id, owner, $3, 'active', '2009-12-01', '2009-12-01' from unnest($1::text[], $2::text[]) as s (id, owner)`,
    [ids('sub'), owners, serviceId],
  );
  await db.query(
    `insert into subscription_phase (subscription_id, from_at, service_id, quantity, is_applied, charge_quantities) select s.id, started_at, service_id, 1, true, jsonb_build_object('seats', (1 + ${numberOf('seats', 16)})::text) from subscription s join organization o on o.id = s.organization_id`,
  );
  await db.query(
    `insert into minimum_spend (id, organization_id, currency, amount_minor, from_on, created_by, created_at) select m.id, m.owner, 'TWD', 1000, '2010-01-01', 'test', '2009-12-01' from unnest($1::text[], $2::text[]) as m (id, owner)`,
    [ids('msp'), owners],
  );
}

/**
 * Marks recent months as closed. Otherwise the hourly schedule would close them, and use the terms of this test
 * for them.
 */
async function closeLately(db: Query): Promise<void> {
  await db.query(
    `insert into month_closed (organization_id, month, closed_at) select o.id, to_char(now() - make_interval(months => ago), 'YYYY-MM'), now() from organization o, generate_series(0, 13) as ago`,
  );
}

/** Entries of two accounts for each of some transactions: a debit of one, a credit of the other. */
const booked = (kind: string, debit: string, credit: string, of: string): string => `
  with moved as (${of}), named as (select m.*, k.account_kind, k.sign, case when k.is_own then m.owner end as account_owner, k.account_kind || case when k.is_own then ':' || m.owner else '' end || ':TWD' as account, k.position from moved m cross join (values ${debit}, ${credit}) as k (position, account_kind, is_own, sign)),
    accounts as (insert into ledger_account (id, kind, organization_id, currency) select distinct account, account_kind, account_owner, 'TWD' from named on conflict do nothing),
    transactions as (insert into ledger_transaction (id, kind, reference, at) select tx, '${kind}', reference, '2009-12-01' from moved)
  insert into ledger_entry (transaction_id, position, account_id, currency, amount_minor) select tx, position, account, 'TWD', sign * minor from named`;

/**
 * The terms of one month: a discount for one bill, a commitment that is settled with the month, two grants
 * that end with the month, their ledger entries, and a one-off charge.
 */
async function agree(db: Query, month: string): Promise<void> {
  const orgs = (await db.query<{ id: string }>('select id from organization order by id')).rows.map(
    ({ id }) => id,
  );
  const [discount] = ids('dsc', 1);
  await db.query(
    `insert into discount (id, name_zh_tw, name_en_us, percent, duration, max_per_organization, audience, organization_ids, created_at) values ($1, '首購', 'First', 12.5, 'once', 1, 'anyone', '{}', '2009-12-01')`,
    [discount],
  );
  await db.query(
    `insert into discount_redemption (id, discount_id, organization_id, redeemed_at, first_month) select r.id, $3, r.owner, '2009-12-01', $4 from unnest($1::text[], $2::text[]) as r (id, owner)`,
    [ids('rdm'), orgs, discount, month],
  );
  await db.query(
    `insert into commitment (id, organization_id, name_zh_tw, name_en_us, currency, usage_only, starts_on, months, period, period_months, amounts_minor, committed_percent, overage_percent, last_month, note, created_at, created_by, creator_name)
      select c.id, c.owner, '承諾', 'Commitment', 'TWD', false, $3::text, 1, 'month', 1, array[200 + ${numberOf('commitment', 2500)}], 85, 110, $3::text, '', '2009-12-01', 'test', 'Test' from unnest($1::text[], $2::text[]) as c (id, owner) join organization o on o.id = c.owner`,
    [ids('cmt'), orgs, month],
  );
  const one = ids('ooc');
  await db.query(
    `insert into one_off_charge (id, organization_id, kind, name, quantity, unit_price, currency, amount_minor, charge_on, billing, note, state, created_by, created_at)
      select c.id, c.owner, 'charge', '{"zhTW": "安裝", "enUS": "Set-up"}', 1, 10 + ${numberOf('one', 90)}, 'TWD', 10 + ${numberOf('one', 90)}, ($3 || '-15')::date, 'next_bill', '', 'approved', 'test', '2009-12-01' from unnest($1::text[], $2::text[]) as c (id, owner) join organization o on o.id = c.owner`,
    [one, orgs, month],
  );
  await db.query(
    `insert into one_off_step (one_off_id, version, step, at, by, reason) select id, 1, 'created', '2009-12-01', 'test', '' from unnest($1::text[]) as id`,
    [one],
  );
  for (const kind of ['promotional', 'paid']) {
    await db.query(
      `insert into credit_grant (id, organization_id, kind, origin, name_zh_tw, name_en_us, amount_minor, currency, priority, usage_only, starts_on, last_month, recurs, rolls_over, note, created_at, created_by, creator_name)
        select g.id, g.owner, $3, 'admin', '點數', 'Credit', 100 + ${numberOf('grant', 2000)}, 'TWD', 50, false, $4, $4, false, false, '', '2009-12-01', 'test', 'Test' from unnest($1::text[], $2::text[]) as g (id, owner) join organization o on o.id = g.owner`,
      [ids('cgr'), orgs, kind, month],
    );
    if (kind === 'paid') {
      await db.query(
        `insert into payment (id, organization_id, method, state, amount_minor, currency, note, created_at, created_by, settled_at, settled_by, received_minor, received_currency)
          select p.id, p.owner, 'manual', 'succeeded', g.amount_minor, 'TWD', $3, '2009-12-01', 'test', '2009-12-01', 'test', g.amount_minor, 'TWD' from unnest($1::text[], $2::text[]) as p (id, owner) join credit_grant g on g.organization_id = p.owner and g.kind = 'paid' and g.starts_on = $3`,
        [ids('pay'), orgs, month],
      );
      await db.query(
        booked(
          'top_up',
          `(1, 'cash', false, 1)`,
          `(2, 'balance', true, -1)`,
          `select t.id as tx, p.id as reference, p.organization_id as owner, p.amount_minor as minor from unnest($1::text[], $2::text[]) as t (id, owner) join payment p on p.organization_id = t.owner and p.note = $3`,
        ),
        [ids('ltx'), orgs, month],
      );
    }
    await db.query(
      `insert into credit_movement (id, grant_id, kind, month, minor, at, by_id) select m.id, g.id, 'granted', $3, g.amount_minor, '2009-12-01', 'test' from unnest($1::text[], $2::text[]) as m (id, owner) join credit_grant g on g.organization_id = m.owner and g.kind = $4 and g.starts_on = $3`,
      [ids('cgm'), orgs, month, kind],
    );
    await db.query(
      booked(
        'credit_grant',
        kind === 'paid' ? `(1, 'balance', true, 1)` : `(1, 'promotions', false, 1)`,
        `(2, '${kind === 'paid' ? 'deferred_revenue' : 'promotional_credit'}', true, -1)`,
        `select t.id as tx, m.id as reference, g.organization_id as owner, m.minor from unnest($1::text[], $2::text[]) as t (id, owner) join credit_grant g on g.organization_id = t.owner and g.kind = $4 and g.starts_on = $3 join credit_movement m on m.grant_id = g.id`,
      ),
      [ids('ltx'), orgs, month, kind],
    );
  }
}

type Used = { readonly organization: string; readonly used: string };
/** The state of each organization’s terms of a month, and its bill, as one text. */
async function usedIn(db: Query, month: string): Promise<readonly Used[]> {
  const { rows } = await db.query<Used>(
    `select o.id as organization, concat_ws(E'\\n',
        (select string_agg(concat_ws(' ', l.position, l.kind, l.quantity, l.exact_amount, l.amount_minor, l.term -> 'shares'), E'\\n' order by b.id, l.position) from bill b join bill_line l on l.bill_id = b.id where b.organization_id = o.id and b.month = $1),
        (select string_agg(concat_ws(' ', 'bill', b.state, net_minor, tax_minor, total_minor, paid_minor, discount_minor, promotional_minor), E'\\n') from bill b where b.organization_id = o.id and b.month = $1),
        (select string_agg(concat_ws(' ', g.kind, m.kind, m.minor), E'\\n' order by g.kind, m.kind, m.minor) from credit_grant g join credit_movement m on m.grant_id = g.id where g.organization_id = o.id and g.starts_on = $1),
        (select string_agg(concat_ws(' ', 'discount', r.version, a.minor, a.voided_at), E'\\n') from discount_redemption r join discount_application a on a.redemption_id = r.id where r.organization_id = o.id and r.first_month = $1),
        (select string_agg(concat_ws(' ', 'commitment', c.version, u.drawn_minor, u.true_up_minor, u.is_settlement, u.released_at), E'\\n') from commitment c join commitment_use u on u.commitment_id = c.id where c.organization_id = o.id and c.starts_on = $1),
        (select string_agg(concat_ws(' ', 'one-off', c.state, c.amount_minor, (select count(*) from one_off_step s where s.one_off_id = c.id)), E'\\n') from one_off_charge c where c.organization_id = o.id and to_char(c.charge_on, 'YYYY-MM') = $1),
        (select string_agg(concat_ws(' ', p.method, p.amount_minor), E'\\n') from payment p join bill b on b.id = p.bill_id where b.organization_id = o.id and b.month = $1)) as used
      from organization o where o.name like 'Customer %' order by 1`,
    [month],
  );
  return rows;
}

describe('F1, F12: terms', () => {
  let url: string;
  let db: Query;
  beforeAll(async () => {
    ({ db, url } = await databaseOfProcesses());
  });

  it(
    'a close that is killed at any moment and continued elsewhere uses each term once, as an undisturbed one',
    async () => {
      const dataDir = makeDataDir();
      const start = () => startProcess(dataDir, url);
      const checker = connection({ DATABASE_URL: url });
      await checker.connect();
      let [one, other] = [await start(), await start()];
      const admin = await setUpProcess(one);
      await subscribeAll(db, one, admin);
      await closeLately(db);
      for (const month of [undisturbed, ...months]) await agree(db, month);
      expect(await close(one, admin, undisturbed)).toMatchObject({ issued: organizations, parked: 0 });
      const expected = await usedIn(db, undisturbed);
      expect(await foundBy(checker)).toEqual([]);
      expect(new Set(expected.map(({ used }) => used)).size, 'different bills').toBeGreaterThan(
        organizations / 2,
      );
      for (const what of [
        ' discount ',
        ' committed_rate ',
        ' overage_rate ',
        ' true_up ',
        ' minimum_spend ',
        ' promotional_credit ',
        'one-off billed',
        'prepaid_credit',
        'promotional expired',
        'paid expired',
      ])
        expect(expected.filter(({ used }) => used.includes(what)).length, what).toBeGreaterThan(
          organizations / 9,
        );

      const moments: string[] = [];
      for (let round = 0; round < rounds; round++) {
        const month = months[Math.floor(round / 2)] ?? '';
        const tokens = await Promise.all([signIn(one), signIn(other)]);
        const before = await billed(db, month);
        const closing = [one, other].map((each, place) => close(each, tokens[place] ?? '', month));
        // Kills both after their first commit, or one at any moment while the other continues.
        const areBothKilled = round % 2 === 0;
        while (areBothKilled && before < organizations && (await billed(db, month)) === before)
          await pause(2);
        await pause(randomInt(organizations));
        await Promise.all([killProcess(one), ...(areBothKilled ? [killProcess(other)] : [])]);
        await Promise.all(closing);
        moments.push(`${month}: ${await billed(db, month)}`);
        // What is committed is complete.
        expect(await foundBy(checker), moments.join(', ')).toEqual([]);
        // At the end of an ordinary run the remaining console continues, twice at once; with `npm run faults`
        // the next one runs beside it.
        const isLast = !isLong && !areBothKilled && round === rounds - 1;
        [one, other] = await Promise.all([isLast ? other : start(), areBothKilled ? start() : other]);
        if (areBothKilled && round < rounds - 1) continue;
        const again = await Promise.all([signIn(one), signIn(other)]);
        const answers = await Promise.all(
          [one, other].map((each, place) => close(each, again[place] ?? '', month)),
        );
        expect(answers.map((answer) => answer?.parked)).toEqual([0, 0]);
        expect(await usedIn(db, month), moments.join(', ')).toEqual(expected);
        expect(await close(one, again[0] ?? '', month)).toMatchObject({ issued: 0, parked: 0 });
      }
      expect(await foundBy(checker), moments.join(', ')).toEqual([]);
      await checker.end();
    },
    150_000 + rounds * 15_000,
  );
});
