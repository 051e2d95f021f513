// A close of rate cards with five charges, killed and run by two consoles at once: every organization gets
// the same bill as in an undisturbed close (R-BILL-05).
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeId, type IdPrefix } from '#kernel/ids.ts';
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
const organizations = isLong ? 700 : 300;
// Months of 31 days with the same usage have the same bills except for the month. One is closed within a
// round or two; then the next one is killed.
const undisturbed = '2010-07';
const months = Array.from({ length: 30 + rounds * 12 }, (_, index) => new Date(Date.UTC(2010, 7 + index)))
  .filter(
    (month) => new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate() === 31,
  )
  .map((month) => month.toISOString().slice(0, 7))
  .slice(0, Math.ceil(rounds / 2));

const named = (name: string) => ({ zhTW: name, enUS: name });
const usageCharge = (key: string, price: object) => ({
  key,
  name: named(key),
  kind: 'usage',
  meter: key,
  ...price,
});
const charges = [
  {
    key: 'seats',
    name: named('seats'),
    kind: 'recurring',
    model: 'graduated',
    tiers: [
      { upTo: '5', unitPrice: '33.35' },
      { upTo: null, unitPrice: '20' },
    ],
  },
  usageCharge('traffic', {
    model: 'matrix',
    rates: [
      { when: { region: 'tpe' }, unitPrice: '0.37' },
      { when: {}, package: { packageSize: '7', packagePrice: '1.25' } },
    ],
  }),
  usageCharge('bandwidth', { model: 'per_unit', unitPrice: '0.0125' }),
  usageCharge('calls', {
    model: 'graduated',
    included: '10',
    tiers: [
      { upTo: '100', unitPrice: '0.013' },
      { upTo: null, unitPrice: '0.011', flatFee: '3' },
    ],
  }),
  usageCharge('payments', { model: 'percentage', ratePercent: '1.75', minimum: '2' }),
];
const meters = [
  { key: 'traffic', eventType: 'vm', aggregation: 'sum', dimensions: ['region'] },
  { key: 'bandwidth', eventType: 'net', aggregation: 'percentile', p: 95, sampleMinutes: 720 },
  { key: 'calls', eventType: 'call', aggregation: 'count' },
  { key: 'payments', eventType: 'pay', aggregation: 'sum' },
];

/** Customers of one service with different quantities and usage, the same in both months. */
async function fill(db: Query, console: ProcessConsole, admin: string): Promise<void> {
  const ids = (prefix: IdPrefix, count: number) =>
    Array.from({ length: count }, () =>
      encodeId(prefix, Date.parse('2009-12-01T00:00:00Z'), randomBytes(10)),
    );
  for (const meter of meters)
    await api(console, 'POST', '/admin/meters', { name: meter.key, unit: meter.key, ...meter }, admin);
  const service = { name: 'Cloud', type: 'Test', category: 'Test', currency: 'TWD', charges };
  const { id: serviceId } = await api(console, 'POST', '/admin/services', service, admin);
  const owners = ids('org', organizations);
  await db.query(
    `insert into organization (id, name, time_zone, language, created_at) select id, 'Customer ' || id, 'Asia/Taipei', 'zhTW', '2009-12-01' from unnest($1::text[]) as id`,
    [owners],
  );
  await db.query(
    `insert into subscription (id, organization_id, service_id, state, started_at, created_at) select id, owner, $3, 'active', '2009-12-01', '2009-12-01' from unnest($1::text[], $2::text[]) as s (id, owner)`,
    [ids('sub', organizations), owners, serviceId],
  );
  await db.query(
    `insert into subscription_phase (subscription_id, from_at, service_id, quantity, is_applied, charge_quantities) select id, started_at, service_id, 1, true, jsonb_build_object('seats', (hashtext(id) & 15)::text) from subscription`,
  );
  // The calls are the service’s own meter, the first that counts one quantity. The number of a customer and
  // stream is the same in every month.
  const value = `(hashtext(b.id || m.meter || m.cell) & 65535) / 7.0`;
  await db.query(
    `insert into usage_month (subscription_id, meter, cell, month, event_count, sum, max, min, last_value, last_at)
      select b.id, m.meter, m.cell, month, 1 + (hashtext(m.meter || b.id) & 511), ${value}, 5, 5, 5, now() from subscription b, unnest($1::text[]) as month,
        (values ('traffic', '["tpe"]'), ('traffic', '["nrt"]'), ('bandwidth', ''), ('', ''), ('payments', ''), ('*', '')) as m (meter, cell)
      where hashtext(m.meter || m.cell || b.id) % 5 <> 0`,
    [[undisturbed, ...months]],
  );
  await db.query(
    `insert into usage_sample (subscription_id, meter, cell, start, sum)
      select b.id, 'bandwidth', '', (month || '-01')::timestamp at time zone 'Asia/Taipei' + number * interval '12 hours', hashtext(b.id || number) & 4095 from subscription b, unnest($1::text[]) as month, generate_series(0, 9) as number`,
    [[undisturbed, ...months]],
  );
}

type Line = { readonly organization: string; readonly lines: string };
/** The bill of each organization: every line with its quantity, price and steps, and the totals. */
async function billsOf(db: Query, month: string): Promise<readonly Line[]> {
  const { rows } = await db.query<Line>(
    `select b.organization_id as organization, string_agg(concat_ws(' ', l.position, l.kind, l.charge ->> 'key', l.quantity, l.exact_amount, l.amount_minor, replace(l.arithmetic::text, $1, '')), E'\\n' order by l.position) || concat_ws(' ', b.net_minor, b.tax_minor, b.total_minor) as lines
      from bill b join bill_line l on l.bill_id = b.id where b.month = $1 group by b.id order by 1`,
    [month],
  );
  return rows.map(({ organization, lines }) => ({
    organization,
    lines: lines.replaceAll(`${month}-`, ''),
  }));
}

/** The invariants that hold after any kill; each is counted, so that every deviation changes the count. */
async function soundness(db: Query, month: string): Promise<Record<string, string>> {
  const { rows } = await db.query<Record<string, string>>(
    `with numbered as (select sequence, row_number() over (order by organization_id) as place from bill where month = $1)
      select (select count(*) from numbered where sequence <> place) as misplaced,
        (select count(*) from bill b where (select count(*) from ledger_transaction t where t.kind = 'bill' and t.reference = b.id) <> 1) as unbooked,
        (select coalesce(sum(balance_minor), 0) from ledger_account where kind = 'receivable') - (select coalesce(sum(total_minor), 0) from bill) as owed_wrong,
        (select coalesce(sum(amount_minor), 0) from ledger_entry) as unbalanced, (select count(*) from bill_parked) as parked, (select count(*) from audit_fault()) as audit_faults,
        (select count(*) from bill b where net_minor <> (select sum(amount_minor) from bill_line l where l.bill_id = b.id)) as sums_wrong`,
    [month],
  );
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, String(value)]));
}
const sound = {
  misplaced: '0',
  unbooked: '0',
  owed_wrong: '0',
  unbalanced: '0',
  parked: '0',
  audit_faults: '0',
  sums_wrong: '0',
};

describe('F1, F12: rate cards with five charges', () => {
  let url: string;
  let db: Query;
  beforeAll(async () => {
    ({ db, url } = await databaseOfProcesses());
  });

  it(
    'a close that is killed at any moment and continued elsewhere issues the same bills as an undisturbed one',
    async () => {
      const dataDir = makeDataDir();
      const start = () => startProcess(dataDir, url);
      let one = await start();
      const admin = await setUpProcess(one);
      let [other] = await Promise.all([start(), fill(db, one, admin)]);
      expect(await close(one, admin, undisturbed)).toMatchObject({ issued: organizations, parked: 0 });
      expect(await soundness(db, undisturbed)).toEqual(sound);
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
        await pause(randomInt(60));
        await Promise.all([killProcess(one), ...(areBothKilled ? [killProcess(other)] : [])]);
        await Promise.all(closing);
        moments.push(`${month}: ${await billed(db, month)}`);
        expect(await soundness(db, month)).toEqual(sound);
        const isLast = round === rounds - 1;
        [one, other] = await Promise.all([isLast ? one : start(), areBothKilled ? start() : other]);
      }
      const token = await signIn(other);
      const message = `bills after each kill: ${moments.join(', ')}`;
      const expected = await billsOf(db, undisturbed);
      expect(expected).toHaveLength(organizations);
      expect(new Set(expected.map(({ lines }) => lines)).size, 'different bills').toBeGreaterThan(
        organizations / 2,
      );
      const of = (key: string): number =>
        expected.filter(({ lines }) => lines.includes(`usage ${key} `)).length;
      for (const { key } of meters) expect(of(key), key).toBeGreaterThan(organizations / 2);
      for (const month of months) {
        await close(other, token, month);
        expect(await soundness(db, month), message).toEqual(sound);
        expect(await billsOf(db, month), message).toEqual(expected);
        expect(await close(other, token, month)).toMatchObject({ issued: 0, parked: 0 });
      }
    },
    120_000 + rounds * 8000,
  );
});
