// A close with organizations that pay for others on consolidated bills, some of them as resellers and some
// for single subscriptions, killed and run by two consoles at once: each bill goes to its payer and is on one
// consolidated bill, each customer of a reseller has one bill of it, none is duplicated or missing
// (R-BILL-01, R-BILL-05, T-RESELL).
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { connection } from '../../verify/connection.ts';
import { foundBy } from '../../verify/test-found.ts';
import { billed, close, databaseOfProcesses, type Query } from '../support/closing.ts';
import { fill } from '../support/closing-many.ts';
import { isLong, roundsOr } from '../support/fault-rounds.ts';
import {
  killProcess,
  makeDataDir,
  setUpProcess,
  signInProcess as signIn,
  startProcess,
} from '../support/process.ts';

// `npm run faults` runs many more rounds.
const rounds = roundsOr(1);
// A close begins with a chunk of 100 and continues with up to 500, which splits a group: two commits, or
// three with `npm run faults`.
const organizations = isLong ? 900 : 288;
/** The size of a group; the first organization pays for the others. */
const together = 6;
/** In every third group the others are customers of a reseller. */
const customers = (organizations / together / 3) * (together - 1);
/**
 * In every third group the last organization has a payer for one of its two services, and pays the other
 * itself.
 */
const inParts = organizations / together / 3;
const months = Array.from(
  { length: rounds },
  (_, index) => `${2010 + Math.floor(index / 12)}-${String(1 + (index % 12)).padStart(2, '0')}`,
);

/** The first organization of each group pays for it, in every second group on one consolidated bill. */
async function payForOthers(db: Query): Promise<void> {
  const groups = `select id, place / ${together} as team, first_value(id) over (partition by place / ${together} order by place) as payer, place / ${together} % 3 = 1 and place % ${together} = ${together - 1} as in_parts from (select id, row_number() over (order by id) - 1 as place from organization where name like 'Customer %') as o`;
  await db.query(
    `insert into organization_payer (id, organization_id, from_month, payer_id, set_by, set_at) select 'opy_' || substr(id, 5), id, '2010-01', payer, 'test', '2009-12-01' from (${groups}) as g where id <> payer and not in_parts`,
  );
  await db.query(
    `insert into subscription_payer (id, subscription_id, organization_id, from_month, payer_id, set_by, set_at) select 'spy_' || substr(g.id, 5), (select max(b.id) from subscription b where b.organization_id = g.id), g.id, '2010-01', g.payer, 'test', '2009-12-01' from (${groups}) as g where in_parts`,
  );
  await db.query(
    `insert into payer_billing (organization_id, from_month, is_consolidated, set_by, set_at) select distinct payer, '2010-01', true, 'test', timestamptz '2009-12-01' from (${groups}) as g where team % 2 = 0`,
  );
  // Every third group is a reseller and its customers, with a markup of twenty percent.
  const resold = `from (${groups}) as g where team % 3 = 0`;
  await db.query(
    `insert into reseller (organization_id, name, number_prefix, tax_rate, due_days, made_by, made_at) select distinct payer, 'Reseller ' || team, 'R' || team, 5, 14, 'test', timestamptz '2009-12-01' ${resold}`,
  );
  await db.query(
    `insert into resold_organization (organization_id, from_month, reseller_id, set_by, set_at) select id, '2010-01', payer, 'test', '2009-12-01' ${resold} and id <> payer`,
  );
  await db.query(
    `insert into retail_mark_up (reseller_id, from_month, mark_ups, set_by, set_at) select organization_id, '2010-01', '{"percent": "20", "services": []}', 'test', '2009-12-01' from reseller`,
  );
}

/**
 * Bills of a month: all, those with the wrong payer, those missing from a consolidated bill, and consolidated
 * bills by their size.
 */
async function counted(db: Query, month: string): Promise<Record<string, string>> {
  const { rows } = await db.query<Record<string, string>>(
    `select (select count(*) from bill where month = $1) as bills,
      (select count(*) from bill b left join organization_payer p on p.organization_id = coalesce(b.used_by_id, b.organization_id) where b.month = $1 and not b.by_subscription and b.organization_id <> coalesce(p.payer_id, b.organization_id))
        + (select count(*) from bill b join bill_line l on l.bill_id = b.id left join subscription_payer p on p.subscription_id = l.subscription_id where b.month = $1 and p.payer_id is distinct from case when b.by_subscription then b.organization_id end) as misdirected,
      (select count(*) from bill where month = $1 and by_subscription) as parts,
      (select count(*) from bill b join payer_billing y on y.organization_id = b.organization_id where b.month = $1 and not exists (select from consolidated_bill_part x where x.bill_id = b.id)) as apart,
      (select count(*) from consolidated_bill where month = $1) as consolidated, (select count(*) from consolidated_bill where month = $1 and supplement > 0) as supplements,
      (select count(*) from retail_bill where month = $1) as retail, (select count(distinct organization_id) from retail_bill where month = $1) as sold,
      (select count(*) from (select reseller_id from retail_bill where month = $1 group by 1 having max(sequence) <> count(*)) as r) as gaps`,
    [month],
  );
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, String(value)]));
}

describe('F1, F12: payers', () => {
  let url: string;
  let db: Query;
  beforeAll(async () => {
    ({ db, url } = await databaseOfProcesses());
  });

  it(
    'a close that is killed at any moment and continued elsewhere gives each payer one bill of everything it pays for',
    async () => {
      const dataDir = makeDataDir();
      const start = () => startProcess(dataDir, url);
      const checker = connection({ DATABASE_URL: url });
      await checker.connect();
      let [one, other] = [await start(), await start()];
      await fill(db, one, await setUpProcess(one), { organizations, months });
      await payForOthers(db);
      const moments: string[] = [];
      for (const month of months) {
        const tokens = [await signIn(one), await signIn(other)];
        const closing = [one, other].map((each, place) => close(each, tokens[place] ?? '', month));
        while ((await billed(db, month)) === 0) await pause(2);
        await pause(randomInt(organizations));
        await Promise.all([killProcess(one), killProcess(other)]);
        await Promise.all(closing);
        moments.push(`${month}: ${await billed(db, month)}`);
        // In an ordinary run one console continues, with two closes at once.
        one = await start();
        other = isLong ? await start() : one;
        const again = [await signIn(one), await signIn(other)];
        await Promise.all([one, other].map((each, place) => close(each, again[place] ?? '', month)));
        // The close enqueues the job that consolidates, which runs by itself.
        await vi.waitFor(
          async () =>
            expect(await counted(db, month), moments.join(', ')).toEqual({
              bills: String(organizations + inParts),
              parts: String(inParts),
              misdirected: '0',
              apart: '0',
              consolidated: String(organizations / together / 2),
              supplements: '0',
              retail: String(customers),
              sold: String(customers),
              gaps: '0',
            }),
          { timeout: 90_000, interval: 500 },
        );
      }
      // Monthly usage was stored directly, without the events and sources that other checks examine.
      expect(
        (await foundBy(checker)).filter((each) =>
          /^(numbers|consolidated|payers|bills|one-bill|retail)/.test(each),
        ),
      ).toEqual([]);
      await checker.end();
    },
    200_000 + rounds * 30_000,
  );
});
