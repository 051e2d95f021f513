// A close of percentages that price each event within limits, killed and run by two consoles at once, with the
// events in the database or archived: every organization gets the same bill as in an undisturbed close (R-BILL-05).
import { randomBytes } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { required } from '#kernel/assert.ts';
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

const eventsEach = 9;

const limits = {
  fee: { fixedPerEvent: '0.3' },
  least: { minPerEvent: '2' },
  most: { maxPerEvent: '0.5' },
  first: { fixedPerEvent: '0.3', freeEvents: 4 },
  amount: { fixedPerEvent: '0.3', freeAmount: '60' },
  all: { fixedPerEvent: '0.3', freeEvents: 2, freeAmount: '50', minPerEvent: '0.4', maxPerEvent: '1' },
};
const charges = Object.entries(limits).map(([key, own]) => ({
  key,
  name: { zhTW: key, enUS: key },
  kind: 'usage',
  meter: 'sales',
  model: 'percentage',
  ratePercent: '2.9',
  ...own,
}));

/** Customers of one service whose sales differ, but are the same in every month. */
async function fill(db: Query, console: ProcessConsole, admin: string): Promise<void> {
  const ids = (prefix: IdPrefix) =>
    Array.from({ length: organizations }, () =>
      encodeId(prefix, Date.parse('2009-12-01T00:00:00Z'), randomBytes(10)),
    );
  const meter = { key: 'sales', name: 'Sales', unit: 'USD', eventType: 'sale', aggregation: 'sum' };
  await api(console, 'POST', '/admin/meters', meter, admin);
  const service = { name: 'Payments', type: 'Test', category: 'Test', currency: 'USD', charges };
  const { id: serviceId } = await api(console, 'POST', '/admin/services', service, admin);
  const [owners, subscriptions] = [ids('org'), ids('sub')];
  await db.query(
    `insert into organization (id, name, time_zone, language, created_at) select id, 'Customer ' || id, 'Asia/Taipei', 'zhTW', '2009-12-01' from unnest($1::text[]) as id`,
    [owners],
  );
  await db.query(
    `insert into subscription (id, organization_id, service_id, state, started_at, created_at) select id, owner, $3, 'active', '2009-12-01', '2009-12-01' from unnest($1::text[], $2::text[]) as s (id, owner)`,
    [subscriptions, owners, serviceId],
  );
  await db.query(
    `insert into subscription_phase (subscription_id, from_at, service_id, quantity, is_applied) select id, started_at, service_id, 1, true from subscription`,
  );
  const key = required(
    (await api(console, 'POST', '/admin/api-keys', { name: 'shop' }, admin))['secret'],
    'the key',
  );
  for (const month of [undisturbed, ...months]) {
    const start = Date.parse(`${month}-01T00:00:00+08:00`);
    const events = subscriptions.flatMap((subject, place) =>
      Array.from({ length: eventsEach }, (_, number) => ({
        specversion: '1.0',
        id: `${month} ${place} ${number}`,
        source: 'shop',
        type: 'sale',
        subject,
        time: new Date(start + number * 79 * 3_600_000 + place * 7 * 60_000).toISOString(),
        data: { value: (((place * 37 + number * 1013) % 9000) / 100).toFixed(2) },
      })),
    );
    for (let from = 0; from < events.length; from += 900) {
      const response = await fetch(`${console.address}/api/usage/events`, {
        method: 'POST',
        headers: {
          'content-type': 'application/cloudevents-batch+json',
          authorization: `Bearer ${key}`,
        },
        body: JSON.stringify(events.slice(from, from + 900)),
      });
      expect([response.status, await response.json()]).toMatchObject([202, { data: { rejected: [] } }]);
    }
  }
}

/** Has the events of all months leave the database. */
async function archive(db: Query, console: ProcessConsole, admin: string): Promise<void> {
  await api(console, 'PATCH', '/admin/settings', { eventRetentionMonths: 1 }, admin);
  await db.query(`insert into job.job (name, data) values ('usage-partitions', '{}')`);
  await vi.waitFor(
    async () => {
      const { rows } = await db.query('select from usage_event limit 1');
      expect(rows).toEqual([]);
    },
    { timeout: 60_000, interval: 50 },
  );
}

it.each(['in the database', 'archived'])(
  'F1, F12: months whose events are %s have the same bills, however often their close is killed',
  async (place) => {
    const { db, url } = await databaseOfProcesses();
    const dataDir = makeDataDir();
    const start = () => startProcess(dataDir, url);
    const one = await start();
    const admin = await setUpProcess(one);
    const [other] = await Promise.all([start(), fill(db, one, admin)]);
    expect(await close(one, admin, undisturbed)).toMatchObject({ issued: organizations, parked: 0 });
    if (place === 'archived') await archive(db, one, admin);
    const bills = await expectSameBills({
      db,
      start,
      consoles: [one, other],
    });
    for (const { key } of charges)
      expect(bills.filter(({ lines }) => lines.includes(`usage ${key} `)).length, key).toBe(organizations);
  },
  180_000 + rounds * 8000,
);
