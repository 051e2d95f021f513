// Monitoring: errors by request id, the status of lanes and jobs, and retries of failed messages (R-ADM-01).
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { announcements } from '#features/operations/announcements/contract.ts';
import { monitoring } from '#features/operations/monitoring/contract.ts';
import { queueNames } from '#features/operations/monitoring/rules.ts';
import { createTestConsole, setUp, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let token: string;
const db = () => console.app.database.kysely;

beforeAll(async () => {
  console = await createTestConsole();
  token = await setUp(console);
});

describe('R-ADM-01 monitoring', () => {
  it('finds a failed request by its id, without row values from the database’s message', async () => {
    await sql`alter table announcement rename to announcement_away`.execute(db());
    const failed = await console.call(announcements.listAnnouncements, {}, { token });
    await sql`alter table announcement_away rename to announcement`.execute(db());
    expect([failed.status, failed.envelope.code]).toEqual([500, 'platform.fault']);
    const { requestId } = failed.envelope;
    const found = await vi.waitFor(
      async () => {
        const page = await console.ok(monitoring.listFaults, { q: requestId ?? '' }, { token });
        expect(page.total).toBe(1);
        return page.items[0];
      },
      { timeout: 20_000 },
    );
    expect(found).toMatchObject({
      source: 'request',
      place: 'GET /api/admin/announcements',
      requestId,
      message: expect.stringContaining('"announcement" does not exist'),
    });
    expect(
      (await console.ok(monitoring.listFaults, { q: 'req_00000000000000000000000000' }, { token })).items,
    ).toEqual([]);
    expect((await console.ok(monitoring.listFaults, { q: 'announcements' }, { token })).total).toBe(1);
    expect((await console.ok(monitoring.monitoring, {}, { token })).faults).toBe(1);
  });

  it('shows a failed job and its status', async () => {
    await sql`alter table idempotency_key rename to key_away`.execute(db());
    await unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, (ctx) =>
      ctx.enqueue('tidy', {}),
    );
    await expect
      .poll(async () => (await console.ok(monitoring.listFaults, { source: 'job' }, { token })).items[0])
      .toMatchObject({ place: 'tidy', requestId: null });
    await sql`alter table key_away rename to idempotency_key`.execute(db());
    const { jobs } = await console.ok(monitoring.monitoring, {}, { token });
    expect(jobs.map(({ name }) => name)).toContain('tidy');
    expect(jobs.find(({ name }) => name === 'tidy')).toMatchObject({ schedule: '20 3 * * *' });
  });

  it('has a name for every kind of outgoing message', async () => {
    const { lanes } = await console.ok(monitoring.monitoring, {}, { token });
    expect(lanes.length).toBeGreaterThan(5);
    expect(lanes.filter(({ kind }) => !Object.hasOwn(queueNames, kind))).toEqual([]);
  });

  it('retries a failed message once, and logs it', async () => {
    await sql`insert into outbox (kind, key, payload, created_at, due_at, attempts, parked_at, last_error) values ('nobody', 'a', '{}', ${console.clock.now()}, ${console.clock.now()}, 12, ${console.clock.now()}, 'refused by the other side')`.execute(
      db(),
    );
    const queue = async () =>
      (await console.ok(monitoring.monitoring, {}, { token })).lanes.find(({ kind }) => kind === 'nobody');
    expect(await queue()).toEqual({
      kind: 'nobody',
      waiting: 0,
      oldestDueAt: null,
      failing: 0,
      lastError: 'refused by the other side',
      parked: 1,
      verdict: 'warning',
    });
    expect(await console.ok(monitoring.retryParked, { kind: 'nobody' }, { token })).toEqual({ retried: 1 });
    expect(await queue()).toMatchObject({ waiting: 1, parked: 0, failing: 0, verdict: 'good' });
    expect(await console.ok(monitoring.retryParked, { kind: 'nobody' }, { token })).toEqual({ retried: 0 });
    expect((await console.call(monitoring.retryParked, { kind: 'unheard' }, { token })).envelope.code).toBe(
      'monitoring.lane_unknown',
    );
    const { rows } = await sql<{
      detail: unknown;
    }>`select detail from audit_log where action = 'monitoring.retryParked' order by seq limit 1`.execute(
      db(),
    );
    expect(rows).toEqual([{ detail: { retried: 1 } }]);
    // A minute late is a warning, ten minutes late needs an Admin.
    console.clock.advance(11 * 60_000);
    expect((await queue())?.verdict).toBe('bad');
  });

  it('keeps an hour of minutes with their responses', async () => {
    await console.app.vitals.read();
    for (let minute = 0; minute < 61; minute++) {
      for (const [status, elapsed] of [
        [200, 5],
        [500, 40 + minute],
        [404, 1],
      ] as const)
        console.app.vitals.observe(status, elapsed);
      await console.app.vitals.read();
    }
    const { readings, database, process: own } = await console.ok(monitoring.monitoring, {}, { token });
    expect(readings).toHaveLength(60);
    expect(readings.at(-1)).toMatchObject({ requests: 3, failed: 1, slowestMs: 100 });
    expect(own.verdict).not.toBe('good');
    expect(database).toMatchObject({ isEmbedded: true, migrations: expect.any(Number) as number });
    expect(database.tables.length).toBeGreaterThan(3);
    for (const { cpu, memory, disk } of readings)
      for (const percent of [cpu, memory, disk]) expect(percent >= 0 && percent <= 100).toBe(true);
  });
});
