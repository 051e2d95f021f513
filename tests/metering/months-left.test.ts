// Months whose events leave at the same time, by several consoles, are all recorded.
import { expect, it } from 'vitest';
import type { BillingMonth } from '#kernel/shape.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { monthsLeft, recordMonthLeft } from '#features/metering/usage/server/months-left.ts';
import { createTestConsole } from '../support/console.ts';

it('eight months that leave at once are all recorded', async () => {
  const console = await createTestConsole(new Date('2026-10-20T04:00:00Z'));
  const months = Array.from({ length: 8 }, (_, index) => `2026-0${index + 1}` as BillingMonth);
  const by = { actor: { kind: 'system', name: 'test' } } as const;
  await Promise.all(
    months.map((month) =>
      unitOfWork(console.app, by, async (ctx) => {
        // A unit may have read the settings before.
        await ctx.setting(monthsLeft);
        await recordMonthLeft(ctx, month);
      }),
    ),
  );
  expect(await unitOfWork(console.app, by, (ctx) => ctx.setting(monthsLeft))).toEqual(months);
});
