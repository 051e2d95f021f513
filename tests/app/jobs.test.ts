// When jobs start: one poll per second for all kinds, where each worker by itself polls once a minute.
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { job, JobRunner } from '#platform/server/jobs/jobs.ts';
import { silentLog } from '#platform/server/log.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { createTestConsole, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let runner: JobRunner;
/** The jobs that ran, in order. */
const ran: string[] = [];
let goOn: () => void = () => undefined;

beforeAll(async () => {
  console = await createTestConsole();
  const note = async (_app: unknown, { name }: { name: string }): Promise<void> => void ran.push(name);
  const jobs = [
    job<{ name: string }>({ name: 'look-one', run: note }),
    job<{ name: string }>({ name: 'look-other', run: note }),
    job<{ name: string }>({
      name: 'look-busy',
      run: async (_app, { name }) => {
        ran.push(name);
        await new Promise<void>((done) => (goOn = done));
      },
    }),
    job({ name: 'look-often', everySeconds: 1, run: async () => void ran.push('often') }),
  ];
  runner = new JobRunner(console.app.database.where, jobs, silentLog());
  await runner.start(console.app);
  atFileEnd(() => runner.stop());
});

const send = (kind: string, name: string, key?: string): Promise<void> =>
  runner.send(
    kind,
    { name },
    { executeSql: (text, values) => console.app.database.pool.query(text, values ?? []) },
    key,
  );
const times = (name: string): number => ran.filter((one) => one === name).length;

it('an enqueued job of any kind starts without its worker’s own poll', async () => {
  await send('look-one', 'first');
  await send('look-other', 'second');
  await expect.poll(() => times('first') + times('second')).toBe(2);
});

it('a job that waits for another one of its kind starts when that ends', async () => {
  await send('look-busy', 'long', 'a');
  await expect.poll(() => times('long')).toBe(1);
  await send('look-busy', 'behind', 'b');
  // Jobs of another kind run meanwhile.
  await expect.poll(() => times('often')).toBeGreaterThan(2);
  expect(times('behind')).toBe(0);
  goOn();
  await expect.poll(() => times('behind')).toBe(1);
  goOn();
});

it('a job of every second does not wait a minute', async () => {
  const before = times('often');
  await expect.poll(() => times('often')).toBeGreaterThan(before + 2);
});

it('a start adds the kinds of a new release and records its changes of schedules; the rest is unchanged', async () => {
  const run = async (): Promise<void> => undefined;
  const former = [
    job({ name: 'release-same', schedule: '0 3 * * *', run }),
    job({ name: 'release-moved', schedule: '0 3 * * *', run }),
    job({ name: 'release-often', everySeconds: 600, run }),
  ];
  const next = [
    ...former.filter(({ name }) => name !== 'release-moved'),
    job({ name: 'release-moved', schedule: '30 4 * * *', run }),
    job({ name: 'release-new', schedule: '0 5 * * *', run }),
  ];
  const stored = async () =>
    (
      await sql<{ name: string; cron: string; timezone: string; queued: string; changed: boolean }>`
        select s.name, s.cron, s.timezone, q.policy as queued, s.updated_on > s.created_on as changed
          from job.schedule s join job.queue q on q.name = s.name where s.name like 'release-%' order by s.name`.execute(
        console.app.database.kysely,
      )
    ).rows.map(({ name, cron, timezone, queued, changed }) => [name, cron, timezone, queued, changed]);
  const startOnce = async (jobs: readonly (typeof former)[number][]): Promise<void> => {
    const one = new JobRunner(console.app.database.where, jobs, silentLog());
    await one.start(console.app);
    await one.stop();
  };

  await startOnce(former);
  expect(await stored()).toEqual([
    ['release-moved', '0 3 * * *', 'UTC', 'short', false],
    ['release-often', '* * * * *', 'UTC', 'short', false],
    ['release-same', '0 3 * * *', 'UTC', 'short', false],
  ]);
  await startOnce(next);
  await startOnce(next);
  expect(await stored()).toEqual([
    ['release-moved', '30 4 * * *', 'UTC', 'short', true],
    ['release-new', '0 5 * * *', 'UTC', 'short', false],
    ['release-often', '* * * * *', 'UTC', 'short', false],
    ['release-same', '0 3 * * *', 'UTC', 'short', false],
  ]);
});
