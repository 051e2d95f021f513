// One-off charges on bills: used once, held while a bill is planned, and released when it is voided.
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { required } from '#kernel/assert.ts';
import type { Actor, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { on } from '#platform/server/unit-of-work/event-handler.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { identity } from '#features/access/identity/contract.ts';
import {
  holdOneOffs,
  oneOffApproved,
  oneOffsFeature,
  oneOffsOf,
  ownBillOneOff,
  recordBilled,
  releaseBilled,
} from '#features/invoicing/one-offs/server/index.ts';
import {
  approver,
  bil,
  console,
  due,
  dueOne,
  get,
  made,
  maker,
  october,
  one,
  setThreshold,
  startOneOffConsole,
  system,
  twd,
  two,
  withdraw,
} from '../support/one-offs.ts';

startOneOffConsole();

/** Waits until another transaction waits for a lock. */
async function waitingFor(ctx: Ctx): Promise<void> {
  for (;;) {
    // Only in this file’s database, because others on the server have waiting transactions, too.
    const { rows } =
      await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        console.app.database.kysely,
      );
    if (rows.length > 0) return;
    await sql`select pg_sleep(0.01)`.execute(ctx.db);
  }
}

describe('T-ONEOFF: one-off charges on a month’s bill', () => {
  it('are approved, marked for the next bill, dated up to the month’s last day, and sorted by day', async () => {
    const organizationId = two.organizationId;
    const [late, early, after, own, withdrawn] = [
      await made({ organizationId, chargeOn: '2026-10-31' }),
      await made({ organizationId, chargeOn: '2026-08-01', kind: 'credit' }),
      await made({ organizationId, chargeOn: '2026-11-01' }),
      await made({ organizationId, billing: 'own_bill' }),
      await made({ organizationId }),
    ];
    await withdraw(withdrawn.id);
    const ids = async (month: string) =>
      (await due(month as BillingMonth, undefined, organizationId)).map((each) => each.id);
    const today = (await ids('2026-10')).filter((id) => ![late.id, early.id].includes(id));
    expect(await ids('2026-10')).toEqual([early.id, ...today, late.id]);
    expect(await ids('2026-09')).toEqual([early.id]);
    expect(await ids('2026-07')).toEqual([]);
    expect((await ids('2026-11')).at(-1)).toBe(after.id);
    expect(await ids('2026-11')).not.toContain(own.id);
    await made();
    const both = await system((ctx) => oneOffsOf(ctx, [one.organizationId, organizationId], october));
    expect([...both.keys()].toSorted()).toEqual([one.organizationId, organizationId].toSorted());
    expect(await system((ctx) => oneOffsOf(ctx, [], october))).toEqual(new Map());
  });

  it('exclude one with a bill of its own, which is billed immediately and found again only for its replacement', async () => {
    const charge = await made({ billing: 'own_bill', unitPrice: '12.5', currency: 'USD' });
    const { state, bill } = await get(charge.id);
    expect(state).toBe('billed');
    expect(await system((ctx) => ownBillOneOff(ctx, charge.id))).toBeUndefined();
    expect(await system((ctx) => ownBillOneOff(ctx, charge.id, required(bill, 'its bill').id))).toMatchObject(
      {
        organizationId: one.organizationId,
        amount: money(1250n, 'USD'),
      },
    );
    const other = await made();
    expect(await system((ctx) => ownBillOneOff(ctx, other.id))).toBeUndefined();
  });

  it('are held as they were read: not after a withdrawal in between, and not by two bills', async () => {
    const [a, b] = [await made(), await made()];
    const read = [await dueOne(a.id), await dueOne(b.id)];
    await withdraw(b.id);
    expect(await system((ctx) => holdOneOffs(ctx, read))).toBe(false);
    // Nothing was held: the first one is unchanged.
    expect((await dueOne(a.id)).version).toBe(read[0]?.version);
    const again = [await dueOne(a.id)];
    expect(await system((ctx) => holdOneOffs(ctx, again))).toBe(true);
    expect(await system((ctx) => holdOneOffs(ctx, again))).toBe(false);
    expect(await system((ctx) => holdOneOffs(ctx, []))).toBe(true);
  });

  it('cannot be withdrawn while a bill holds them: the withdrawal waits and is then rejected', async () => {
    const charge = await made();
    const read = [await dueOne(charge.id)];
    let refused: ReturnType<typeof withdraw> | undefined;
    await system(async (ctx) => {
      expect(await holdOneOffs(ctx, read)).toBe(true);
      refused = withdraw(charge.id);
      await waitingFor(ctx);
      await recordBilled(ctx, [{ id: charge.id, billId: bil(1), billNumber: 'B-202610-000001' }]);
    });
    const answer = await required(refused, 'the withdrawal');
    expect([answer.status, answer.envelope.message]).toEqual([
      409,
      'This is on bill B-202610-000001. To correct it, credit or void that bill.',
    ]);
    expect(await get(charge.id)).toMatchObject({
      state: 'billed',
      bill: { id: bil(1), number: 'B-202610-000001' },
    });
  });

  it('are held by one of twenty concurrent bills', async () => {
    const charges = [await made(), await made()];
    const read = await Promise.all(charges.map(({ id }) => dueOne(id)));
    const bills = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        system(async (ctx) => {
          // In another order each time: the locks are taken in the order of ids.
          if (!(await holdOneOffs(ctx, index % 2 === 0 ? read : read.toReversed()))) return false;
          await recordBilled(
            ctx,
            read.map(({ id }) => ({ id, billId: bil(100 + index), billNumber: `B-${index}` })),
          );
          return true;
        }),
      ),
    );
    expect(bills.filter(Boolean)).toHaveLength(1);
    const billed = await Promise.all(charges.map(({ id }) => get(id)));
    expect(billed[0]?.bill).toEqual(billed[1]?.bill);
    expect(billed[0]?.history.map((each) => each.step)).toEqual(['created', 'billed']);
  });

  it('return when their bill is voided, and are on the next one; before that they are shown as unbilled', async () => {
    const [a, b] = [await made({ chargeOn: '2026-10-01' }), await made({ chargeOn: '2026-10-02' })];
    const bill = bil(7);
    await system(async (ctx) => {
      await holdOneOffs(ctx, [await dueOne(a.id), await dueOne(b.id)]);
      await recordBilled(ctx, [
        { id: a.id, billId: bill, billNumber: 'B-202610-000007' },
        { id: b.id, billId: bill, billNumber: 'B-202610-000007' },
      ]);
    });
    const ours = async (without?: Id<'bil'>) =>
      (await due(october, without)).map((each) => each.id).filter((id) => id === a.id || id === b.id);
    expect(await ours()).toEqual([]);
    expect(await ours(bil(8))).toEqual([]);
    expect(await ours(bill)).toEqual([a.id, b.id]);
    await system((ctx) => releaseBilled(ctx, bill));
    expect(await ours()).toEqual([a.id, b.id]);
    const after = await get(a.id);
    expect(after).toMatchObject({ state: 'approved', bill: null });
    expect(after.history).toMatchObject([
      { step: 'created' },
      { step: 'billed', billNumber: 'B-202610-000007', by: '' },
      { step: 'released', billNumber: 'B-202610-000007', by: '' },
    ]);
    // A bill that read it before it was billed must be planned again.
    expect(await system((ctx) => holdOneOffs(ctx, [{ id: a.id, version: 1n }]))).toBe(false);
    await system((ctx) => releaseBilled(ctx, bil(9)));
  });

  it('are never billed without approval, and nothing of their bill is stored', async () => {
    const [fine, gone] = [await made(), await made()];
    await withdraw(gone.id);
    await expect(
      system((ctx) =>
        recordBilled(ctx, [
          { id: fine.id, billId: bil(11), billNumber: 'B-11' },
          { id: gone.id, billId: bil(11), billNumber: 'B-11' },
        ]),
      ),
    ).rejects.toThrow('1 of 2 one-offs to bill were not approved');
    expect((await get(fine.id)).state).toBe('approved');
  });

  it('cannot be changed otherwise or deleted in the database', async () => {
    const { id } = await made();
    const db = console.app.database.kysely;
    for (const change of [
      sql`update one_off_charge set amount_minor = 1, version = version + 1 where id = ${id}`,
      sql`update one_off_charge set state = 'rejected', version = version + 1 where id = ${id}`,
      sql`update one_off_charge set state = 'withdrawn' where id = ${id}`,
      sql`delete from one_off_charge where id = ${id}`,
      sql`delete from one_off_step where one_off_id = ${id}`,
    ])
      await expect(change.execute(db)).rejects.toThrow(/only the state moves on|never changed or removed/);
  });
});

describe('T-ONEOFF: a one-off charge with a bill of its own', () => {
  /** Runs a call as an Admin with an event handler; returns what the handler received. */
  async function heard(
    token: string,
    verb: string,
    input: object,
    handler: (ctx: Ctx) => Promise<void> = async () => {},
  ): Promise<unknown[]> {
    const payloads: unknown[] = [];
    const { id, name } = await console.ok(identity.profile, {}, { token });
    const actor: Actor = {
      kind: 'user',
      userId: id,
      sessionId: 'ses_1' as Id<'ses'>,
      role: 'Admin',
      organizationId: null,
      name,
      provedAt: console.clock.now(),
      mustEnrol: false,
      customRole: null,
    };
    const listening = on(oneOffApproved, async (ctx, payload) => {
      payloads.push(payload);
      await handler(ctx);
    });
    await unitOfWork({ ...console.app, eventHandlers: [listening] }, { actor }, async (ctx) => {
      await required(oneOffsFeature({ addedByMinimums: () => Promise.resolve([]) }).verbs[verb], verb)(
        ctx,
        input as never,
        undefined as never,
      );
    });
    return payloads;
  }
  const ask = (more: object = {}) => ({
    organizationId: one.organizationId,
    name: { zhTW: '加急', enUS: 'Rush' },
    kind: 'charge',
    unitPrice: '1000',
    currency: 'TWD',
    billing: 'own_bill',
    ...more,
  });

  it('is billed on approval, or immediately if none is needed, in the same transaction', async () => {
    const organizationId = one.organizationId;
    expect(await heard(maker, 'createOneOff', ask())).toEqual([
      { id: expect.stringMatching(/^ooc_/) as string, organizationId },
    ]);
    expect(await heard(maker, 'createOneOff', ask({ billing: 'next_bill' }))).toEqual([]);
    await setThreshold(500n);
    expect(await heard(maker, 'createOneOff', ask())).toEqual([]);
    const charge = await made({ billing: 'own_bill' });
    expect(charge.state).toBe('awaiting_approval');
    const failing = heard(approver, 'approveOneOff', { oneOffId: charge.id }, async () => {
      throw new Error('no bill');
    });
    await expect(failing).rejects.toThrow('no bill');
    expect((await get(charge.id)).state).toBe('awaiting_approval');
    expect(
      await heard(approver, 'approveOneOff', { oneOffId: charge.id }, async (ctx) => {
        const found = required(await ownBillOneOff(ctx, charge.id), 'what is to be billed');
        expect(found).toMatchObject({ organizationId, amount: twd(1000n) });
        expect(await holdOneOffs(ctx, [found])).toBe(true);
        await recordBilled(ctx, [{ id: found.id, billId: bil(50), billNumber: 'B-202610-000050' }]);
      }),
    ).toEqual([{ id: charge.id, organizationId }]);
    expect((await get(charge.id)).history.map((each) => `${each.step} ${each.by}`)).toEqual([
      'created Operator',
      'approved Second',
      'billed Second',
    ]);
    await setThreshold(null);
  });
});
