// Counters of the user list: updated with every write; a sign-in, which also updates the user’s row, changes
// none.
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { identity } from '#features/access/identity/contract.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let token: string;
let customer: Awaited<ReturnType<typeof registerUser>>;
const total = async (filter: {
  role?: 'User' | 'ReadOnly';
  status?: 'active' | 'inactive';
}): Promise<number> => (await console.ok(identity.listUsers, filter, { token })).total;
const totals = async (): Promise<number[]> =>
  Promise.all([
    total({}),
    total({ role: 'User' }),
    total({ role: 'ReadOnly' }),
    total({ role: 'User', status: 'active' }),
    total({ role: 'User', status: 'inactive' }),
  ]);

beforeAll(async () => {
  console = await createTestConsole();
  token = await setUp(console);
  customer = await registerUser(console, 'one@customer.example', 'One');
  await registerUser(console, 'two@customer.example', 'Two');
});

it('P2: counters follow role and status, and each equals the number of rows it counts', async () => {
  expect(await totals()).toEqual([3, 2, 0, 2, 0]);
  await console.ok(
    identity.updateUser,
    { userId: customer.userId as Id<'usr'>, status: 'inactive' },
    { token },
  );
  expect(await totals()).toEqual([3, 2, 0, 1, 1]);
  await console.ok(
    identity.updateUser,
    { userId: customer.userId as Id<'usr'>, status: 'active', role: 'ReadOnly' },
    { token },
  );
  expect(await totals()).toEqual([3, 1, 1, 1, 0]);
  const { rows } =
    await sql`with counted as (select key1, key2, sum(count) as n from row_count where relation = 'app_user' group by 1, 2 having sum(count) <> 0),
      real as (select coalesce(role, '') as key1, coalesce(status, '') as key2, count(*) as n from app_user group by grouping sets ((), (role), (status), (role, status)))
    select * from counted full join real using (key1, key2) where counted.n is distinct from real.n`.execute(
      console.app.database.kysely,
    );
  expect(rows).toEqual([]);
});
