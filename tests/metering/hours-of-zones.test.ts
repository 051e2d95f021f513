// The console and its database cut time into the same hours, in every time zone (R-USE-03).
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { hourOf } from '#kernel/time.ts';
import { oddZones } from '../support/arbitraries.ts';
import { createTestConsole } from '../support/console.ts';

it('the hour of each quarter of the months in which clocks shift', async () => {
  const { app } = await createTestConsole(new Date('2024-10-20T04:00:00Z'));
  const different: unknown[] = [];
  for (const zone of [...oddZones, 'Asia/Kathmandu', 'America/St_Johns', 'Antarctica/Troll']) {
    const { rows } = await sql<{
      moment: Date;
      hour: Date;
    }>`select moment, date_trunc('hour', moment, ${zone}) as hour
      from unnest('{2024-03-01,2024-04-01,2024-09-01,2024-10-01,2024-11-01}'::timestamptz[]) as begins, generate_series(begins, begins + interval '30 days', interval '15 minutes') as moment`.execute(
      app.database.kysely,
    );
    expect(rows.length).toBeGreaterThan(10_000);
    for (const { moment, hour } of rows)
      if (hourOf(moment, zone).getTime() !== hour.getTime()) different.push([zone, moment, hour]);
  }
  expect(different).toEqual([]);
}, 60_000);
