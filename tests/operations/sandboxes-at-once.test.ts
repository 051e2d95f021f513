// The limit of sandboxes, each of which is a database: it holds however many are created at once.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { identity } from '#features/access/identity/contract.ts';
import { maxSandboxes, sandboxes } from '#features/operations/sandboxes/contract.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { createTestConsole, setUp, signIn, userPassword, type TestConsole } from '../support/console.ts';
import { eightAtOnce } from '../support/eight.ts';
import { stopRepeating } from '../support/jobs.ts';

let console: TestConsole;
let token: string;
const startAt = new Date('2026-01-01T00:00:00Z');
const db = () => console.app.database.kysely;
const databases = () => required(console.app.sandboxes, 'the host').databases();

beforeAll(async () => {
  console = await createTestConsole(new Date('2026-11-20T00:00:00Z'));
  await stopRepeating(console.app);
  token = await setUp(console);
  atFileEnd(async () => {
    for (const { id } of (await console.ok(sandboxes.listSandboxes, {}, { token })).items)
      await console.call(sandboxes.deleteSandbox, { sandboxId: id }, { token });
  });
});

describe('T-RACES T-SANDBOX: eight sandboxes at once', () => {
  it('are created up to the limit; the others are told, and leave no database', async () => {
    await console.ok(sandboxes.createSandbox, { name: 'First', startAt, copyCatalogue: false }, { token });
    // The other rows have no database: creating that many would take minutes.
    await sql`insert into sandbox select (jsonb_populate_record(s, jsonb_build_object('id', 'sbx_' || lpad(n::text, 26, '0'), 'name', 'Early ' || n, 'database_name', 'none_' || n))).*
      from sandbox s, generate_series(1, ${maxSandboxes - 3}) n`.execute(db());
    // One person creates one at a time.
    const admins: string[] = [];
    for (let index = 0; index < 8; index++) {
      const account = `admin${index}@cloud.example`;
      await console.ok(
        identity.createUser,
        { account, name: account, role: 'Admin', password: userPassword },
        { token },
      );
      admins.push(await signIn(console, account));
    }
    const made = await eightAtOnce(
      console,
      sandboxes.createSandbox,
      (index) => ({ name: `Late ${index}`, startAt, copyCatalogue: false }),
      (index) => ({ token: required(admins[index], 'an Admin') }),
    );
    expect(made).toEqual({ done: 2, codes: ['sandboxes.too_many'] });
    await sql`delete from sandbox where database_name like 'none_%'`.execute(db());
    const { items } = await console.ok(sandboxes.listSandboxes, {}, { token });
    expect(items.map(({ state }) => state)).toEqual(['ready', 'ready', 'ready']);
    expect(await databases()).toHaveLength(3);
    // A sandbox that is deleted eight times at once is deleted once, and makes room for one.
    const gone = await eightAtOnce(
      console,
      sandboxes.deleteSandbox,
      () => ({ sandboxId: required(items[0], 'a sandbox').id }),
      (index) => ({ token: required(admins[index], 'an Admin') }),
    );
    expect(gone.done).toBeGreaterThan(0);
    expect((await console.ok(sandboxes.listSandboxes, {}, { token })).items).toHaveLength(2);
    expect(await databases()).toHaveLength(2);
  });
});
