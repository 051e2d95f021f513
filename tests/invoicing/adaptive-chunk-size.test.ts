// A month’s close beside other requests (decision 0035): the size of its chunks, when it plans the next one,
// and that its bills are the same either way.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { encodeId } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { adminAccount, createTestConsole, setUp, signIn, type TestConsole } from '../support/console.ts';

const organizations = 1300;
const [quiet, besideOthers] = ['2024-08', '2024-09'] as BillingMonth[] as [BillingMonth, BillingMonth];
const madeAt = Date.parse('2024-01-01T00:00:00Z');
let console: TestConsole;
let admin: string;
let serviceId: string;
const db = () => console.app.database.kysely;

/** The id of an organization by its position, because a close processes organizations by id. */
function idAt(place: number): string {
  const bytes = Buffer.alloc(10);
  bytes.writeUInt32BE(place, 6);
  return encodeId('org', madeAt, bytes);
}

/** Organizations with one subscription at 100 per month. */
async function addCustomers(ids: readonly string[]): Promise<void> {
  const subscriptions = ids.map(() => encodeId('sub', madeAt, randomBytes(10)));
  await sql`insert into organization (id, name, time_zone, language, created_at) select id, id, 'Asia/Taipei', 'zhTW', '2024-01-01' from unnest(${ids}::text[]) as id`.execute(
    db(),
  );
  await sql`insert into subscription (id, organization_id, service_id, state, started_at, created_at) select s, o, ${serviceId}, 'active', '2024-01-01', '2024-01-01' from unnest(${subscriptions}::text[], ${ids}::text[]) as t (s, o)`.execute(
    db(),
  );
  await sql`insert into subscription_phase (subscription_id, from_at, service_id, quantity, is_applied) select s, '2024-01-01', ${serviceId}, 1, true from unnest(${subscriptions}::text[]) as s`.execute(
    db(),
  );
}

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-10-05T00:00:00Z'));
  await setUp(console);
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  serviceId = (
    await console.ok(
      catalogue.createService,
      {
        name: 'Rack',
        type: 'Hosting',
        category: 'Own',
        pricing: { model: 'flat', currency: 'TWD', baseFee: '100' },
        meter: { eventType: 'x', aggregation: 'sum', unit: 'x' },
      },
      { token: admin },
    )
  ).id;
  // Every second position stays free.
  await addCustomers(Array.from({ length: organizations }, (_, index) => idAt(2 * index)));
  // A trigger records each chunk when it is stored.
  await sql`create table chunk_seen (position integer generated always as identity, month text, size integer)`.execute(
    db(),
  );
  await sql
    .raw(`create function see_chunk() returns trigger language plpgsql as $$ begin
    if new.organizations_done > old.organizations_done then insert into chunk_seen (month, size) values (new.month, new.organizations_done - old.organizations_done); end if;
    return null; end $$;
    create trigger see_chunk after update on close_run for each row execute function see_chunk();
    create function wait_at_gate() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(${gateKey}); return new; end $$;
    create trigger wait_at_gate before update on bill_series for each row execute function wait_at_gate();`)
    .execute(db());
});

const chunks = async (month: BillingMonth): Promise<number[]> =>
  (
    await sql<{ size: number }>`select size from chunk_seen where month = ${month} order by position`.execute(
      db(),
    )
  ).rows.map((row) => row.size);
const close = (month: BillingMonth) => console.ok(billing.closeMonth, { month }, { token: admin });

/** Sends requests that are answered while the close waits; more than its own probe sends. */
async function others(): Promise<void> {
  const before = console.app.vitals.answered();
  for (let request = 0; request < 3; request++) await console.ok(billing.listCloseRuns, {}, { token: admin });
  await expect.poll(() => console.app.vitals.answered()).toBeGreaterThanOrEqual(before + 3);
}

const gateKey = 4711;
/**
 * A gate before each stored chunk: the close waits for the lock that the test holds. Advisory locks are
 * granted in order of waiting; a row lock could go to the next chunk before the gate after the last one has
 * woken up.
 */
async function gate(): Promise<{ open: () => Promise<void> }> {
  const hold = await db().startTransaction().execute();
  await sql`select pg_advisory_xact_lock(${gateKey})`.execute(hold);
  return { open: () => hold.commit().execute() };
}
/** How many sessions wait at the gate: the next chunk, and the gate after it. */
const waiting = async (): Promise<number> =>
  Number(
    (
      await sql<{
        n: bigint;
      }>`select count(*) as n from pg_locks where locktype = 'advisory' and objid = ${gateKey} and not granted and database = (select oid from pg_database where datname = current_database())`.execute(
        db(),
      )
    ).rows[0]?.n,
  );

it('R-BILL-05 a close uses small chunks without planning ahead while other requests are answered, and large ones otherwise; its bills are the same', async () => {
  expect(await close(quiet)).toMatchObject({ issued: organizations, parked: 0 });
  // The first chunk is always small, because nothing has been measured yet.
  expect(await chunks(quiet)).toEqual([100, 500, 500, 200]);

  let held = await gate();
  const closing = close(besideOthers);
  // While chunks 1 to 4 wait, other requests are answered; during the fifth there are none.
  for (let chunk = 1; chunk <= 5; chunk++) {
    await expect.poll(waiting).toBe(1);
    if (chunk < 5) await others();
    // A customer added directly after the third chunk while it waits: the fourth has been planned already,
    // without them.
    if (chunk === 3) await addCustomers([idAt(2 * 699 + 1)]);
    const next = chunk < 5 ? gate() : undefined;
    // The next gate must wait for the lock before the next chunk does.
    if (next) await expect.poll(waiting).toBe(2);
    await held.open();
    if (next) held = await next;
  }
  expect(await closing).toMatchObject({ issued: organizations + 1, parked: 0 });
  // The second chunk was planned during the first, before any other request had been measured.
  expect(await chunks(besideOthers)).toEqual([100, 500, 100, 100, 100, 100, 301]);

  const { rows } = await sql<{
    month: string;
    bills: bigint;
    gap: number;
    total: bigint;
    different: bigint;
  }>`select month, count(*) as bills, max(right(number, 6)::int) - count(*)::int as gap, sum(total_minor)::bigint as total,
    count(*) filter (where exists (select from bill q where q.month = ${quiet} and q.organization_id = bill.organization_id and q.total_minor <> bill.total_minor)) as different from bill group by month order by month`.execute(
    db(),
  );
  expect(rows).toEqual(
    (
      [
        [quiet, organizations],
        [besideOthers, organizations + 1],
      ] as const
    ).map(([month, bills]) => ({
      month,
      bills: BigInt(bills),
      gap: 0,
      total: BigInt(bills * 105),
      different: 0n,
    })),
  );
});
