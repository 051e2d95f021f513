// A close of rate cards with five charges, killed and run by two consoles at once: every organization gets
// the same bill as in an undisturbed close (R-BILL-05).
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeId, type IdPrefix } from '#kernel/ids.ts';
import { close, databaseOfProcesses, type Query } from '../support/closing.ts';
import { expectSameBills, months, organizations, rounds, undisturbed } from '../support/killed-closes.ts';
import {
  makeDataDir,
  processApi as api,
  setUpProcess,
  startProcess,
  type ProcessConsole,
} from '../support/process.ts';

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
      const one = await start();
      const admin = await setUpProcess(one);
      const [other] = await Promise.all([start(), fill(db, one, admin)]);
      expect(await close(one, admin, undisturbed)).toMatchObject({ issued: organizations, parked: 0 });
      const expected = await expectSameBills({
        db,
        start,
        consoles: [one, other],
      });
      const of = (key: string): number =>
        expected.filter(({ lines }) => lines.includes(`usage ${key} `)).length;
      for (const { key } of meters) expect(of(key), key).toBeGreaterThan(organizations / 2);
    },
    120_000 + rounds * 8000,
  );
});
