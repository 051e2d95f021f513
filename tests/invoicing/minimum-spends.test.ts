// The minimum monthly spend: set from the current month on, never two at a time, ended, and used by bills.
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { money, type Money } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { oneOffs } from '#features/invoicing/one-offs/contract.ts';
import { minimumSpendsOf } from '#features/invoicing/one-offs/server/index.ts';
import { registerUser } from '../support/console.ts';
import {
  console,
  fails,
  maker,
  moveTo,
  one,
  startOneOffConsole,
  system,
  twd,
  two,
} from '../support/one-offs.ts';

startOneOffConsole();

let count = 0;
const m = (text: string) => text as BillingMonth;
/** An organization of its own for each test. */
const organization = async () => {
  const account = `owner@min${++count}.example`;
  const { token, organizationId } = await registerUser(console, account, `Minimum ${count}`);
  return { token, organizationId: organizationId as Id<'org'> };
};
const set = (
  organizationId: Id<'org'>,
  amount: Money,
  more: { fromMonth?: BillingMonth; toMonth?: BillingMonth | null } = {},
) => console.call(oneOffs.createMinimumSpend, { organizationId, amount, ...more }, { token: maker });
const end = (minimumSpendId: Id<'msp'>, lastMonth: string) =>
  console.call(oneOffs.endMinimumSpend, { minimumSpendId, lastMonth: m(lastMonth) }, { token: maker });
const spends = async (organizationId: Id<'org'>, ...months: string[]) =>
  Promise.all(
    months.map(async (month) =>
      (
        (await system((ctx) => minimumSpendsOf(ctx, [organizationId], m(month)))).get(organizationId) ?? []
      ).map(({ amount }) => amount),
    ),
  );

describe('T-ONEOFF: the minimum monthly spend', () => {
  it('applies from its first month to its last one, in each currency separately', async () => {
    const { organizationId, token } = await organization();
    const { data } = await set(organizationId, twd(50_000n));
    expect(data).toMatchObject({
      amount: twd(50_000n),
      fromMonth: '2026-10',
      toMonth: null,
      state: 'running',
      currentMonth: '2026-10',
      createdBy: 'Operator',
      endedBy: null,
    });
    await set(organizationId, money(99_99n, 'USD'), { fromMonth: m('2026-12'), toMonth: m('2026-12') });
    expect(await spends(organizationId, '2026-09', '2026-10', '2026-12', '2027-01')).toEqual([
      [],
      [twd(50_000n)],
      [twd(50_000n), money(99_99n, 'USD')],
      [twd(50_000n)],
    ]);
    expect(await console.ok(oneOffs.ownMinimumSpends, {}, { token })).toEqual({
      items: [{ amount: twd(50_000n), fromMonth: '2026-10', toMonth: null }],
    });
    expect(await console.ok(oneOffs.ownMinimumSpends, {}, { token: one.reader })).toEqual({ items: [] });
    const both = await system((ctx) =>
      minimumSpendsOf(ctx, [organizationId, one.organizationId], m('2026-10')),
    );
    expect([...both.keys()]).toEqual([organizationId]);
    expect(await system((ctx) => minimumSpendsOf(ctx, [], m('2026-10')))).toEqual(new Map());
  });

  it('is rejected at its field where it is impossible', async () => {
    const { organizationId } = await organization();
    expect(await fails(set(organizationId, twd(0n)))).toBe('amount: oneoffs.minimum_not_positive');
    expect(await fails(set(organizationId, twd(-5n)))).toBe('amount: oneoffs.minimum_not_positive');
    expect((await set(organizationId, twd(1n), { fromMonth: m('2026-09') })).envelope.errors).toMatchObject([
      { field: 'fromMonth', message: 'Earlier months may be billed already. Choose Oct 2026 or later.' },
    ]);
    expect(
      await fails(set(organizationId, twd(1n), { fromMonth: m('2026-12'), toMonth: m('2026-11') })),
    ).toBe('toMonth: oneoffs.month_order');
    expect(await fails(set(`org_${'0'.repeat(26)}` as Id<'org'>, twd(1n)))).toBe(
      'organizationId: oneoffs.organization_not_found',
    );
    expect(await spends(organizationId, '2026-10')).toEqual([[]]);
  });

  it('cannot overlap with another one, not even when twenty are created concurrently', async () => {
    const { organizationId } = await organization();
    await set(organizationId, twd(100n), { fromMonth: m('2026-12'), toMonth: m('2027-03') });
    const refused = await set(organizationId, twd(1n));
    expect([refused.status, refused.envelope.errors?.[0]]).toMatchObject([
      409,
      {
        field: 'fromMonth',
        message:
          'There is a minimum spend in TWD from Dec 2026 to Mar 2027. Choose other months, or end that one first.',
      },
    ]);
    expect((await set(organizationId, twd(200n), { toMonth: m('2026-11') })).status).toBe(201);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        set(organizationId, twd(BigInt(index + 1)), { fromMonth: m('2027-04') }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.envelope.code === 'oneoffs.minimum_overlaps_open')).toHaveLength(
      19,
    );
    expect(
      (await spends(organizationId, '2026-10', '2027-03', '2027-04', '2030-01')).map((all) => all.length),
    ).toEqual([1, 1, 1, 1]);
  });

  it('is changed by ending it and setting another one from the current month on', async () => {
    const { organizationId } = await organization();
    const { id } = (await set(organizationId, twd(100n))).data;
    await moveTo('2026-12-10T04:00:00Z');
    expect((await end(id, '2026-10')).envelope.errors).toMatchObject([
      { field: 'lastMonth', message: 'Earlier months may be billed already. Choose Nov 2026 or later.' },
    ]);
    expect((await end(id, '2026-11')).data).toMatchObject({
      toMonth: '2026-11',
      state: 'ended',
      endedBy: 'Operator',
    });
    expect((await end(id, '2026-11')).envelope.code).toBe('oneoffs.ends_earlier');
    expect((await set(organizationId, twd(300n))).data.fromMonth).toBe('2026-12');
    expect(await spends(organizationId, '2026-11', '2026-12')).toEqual([[twd(100n)], [twd(300n)]]);
    await moveTo('2026-10-05T04:00:00Z');
  });

  it('can be canceled before its first month, and never applies', async () => {
    const { organizationId } = await organization();
    const { id } = (await set(organizationId, twd(5_000_000n))).data;
    expect((await end(id, '2026-09')).data).toMatchObject({ state: 'cancelled', toMonth: '2026-09' });
    expect((await set(organizationId, twd(50_000n))).status).toBe(201);
    expect(await spends(organizationId, '2026-10')).toEqual([[twd(50_000n)]]);
    expect(await fails(end(`msp_${'0'.repeat(26)}` as Id<'msp'>, '2026-10'))).toBe(
      'oneoffs.minimum_not_found',
    );
  });

  it('uses the organization’s own current month', async () => {
    await console.ok(identity.updateOrganization, { timeZone: 'Pacific/Kiritimati' }, { token: two.token });
    await moveTo('2026-10-31T10:30:00Z');
    expect((await set(two.organizationId, twd(1n))).data.fromMonth).toBe('2026-11');
    expect((await set(one.organizationId, twd(1n))).data.fromMonth).toBe('2026-10');
    const list = await console.ok(
      oneOffs.listMinimumSpends,
      { sort: 'fromMonth', limit: 200 },
      { token: maker },
    );
    expect(list.items.map((item) => item.fromMonth)).toEqual(
      list.items.map((item) => item.fromMonth).toSorted(),
    );
    expect(
      (await console.ok(oneOffs.listMinimumSpends, { organizationId: two.organizationId }, { token: maker }))
        .items,
    ).toMatchObject([{ organization: 'two', state: 'running', currentMonth: '2026-11' }]);
    expect(
      (await console.ok(oneOffs.listMinimumSpends, { q: 'two', currency: 'USD' }, { token: maker })).total,
    ).toBe(0);
    await moveTo('2026-10-05T04:00:00Z');
  });

  it('cannot overlap, change otherwise or be deleted in the database', async () => {
    const { organizationId } = await organization();
    const { id } = (await set(organizationId, twd(100n))).data;
    const db = console.app.database.kysely;
    for (const change of [
      sql`insert into minimum_spend (id, organization_id, currency, amount_minor, from_on, created_by, created_at) values ('msp_x', ${organizationId}, 'TWD', 1, '2030-01-01', 'x', now())`,
      sql`update minimum_spend set amount_minor = 1 where id = ${id}`,
      sql`delete from minimum_spend where id = ${id}`,
    ])
      await expect(change.execute(db)).rejects.toThrow(/one_at_a_time|only ended|never changed or removed/);
  });
});
