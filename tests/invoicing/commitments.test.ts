// Commitments on the database: created, used, settled, released and ended early, also concurrently.
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { audit } from '#features/access/audit/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { insertOrganization } from '#features/access/identity/server/index.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { commitments, type Settlement } from '#features/invoicing/commitments/contract.ts';
import { drawDown, type CommitmentInForce, type DrawLine } from '#features/invoicing/commitments/rules.ts';
import {
  commitmentsFeature,
  commitmentsOf,
  holdCommitments,
  recordDraws,
  releaseDraws,
} from '#features/invoicing/commitments/server/index.ts';
import { closedFor, plannedDraw } from '#features/invoicing/billing/server/index.ts';
import { estimate } from '#features/invoicing/commitments/server/outlooks.ts';
import {
  adminAccount,
  createTestConsole,
  setUp,
  signIn,
  type TestConsole,
  userPassword,
} from '../support/console.ts';

const month = (text: string) => text as BillingMonth;
const [september, october, november, december, january] = [
  month('2026-09'),
  month('2026-10'),
  month('2026-11'),
  month('2026-12'),
  month('2027-01'),
];
const twd = (minor: number | bigint): Money => money(BigInt(minor), 'TWD');

let console: TestConsole;
let admin: string;
let count = 0;
let one: { email: string; token: string; organizationId: Id<'org'> };

const db = () => console.app.database.kysely;
const unit = <T>(run: (ctx: Ctx) => Promise<T>): Promise<T> =>
  unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, run);
async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  one.token = await signIn(console, one.email);
}
async function organization(timeZone = 'Asia/Taipei'): Promise<typeof one> {
  const email = `owner${++count}@commitments.example`;
  const { id: organizationId } = await unit((ctx) =>
    insertOrganization(ctx, { name: `Org ${count}`, timeZone, language: 'zhTW', externalRef: null }),
  );
  await console.ok(
    identity.createUser,
    { account: email, name: email, role: 'User', organizationId, password: userPassword },
    { token: admin },
  );
  return { email, token: await signIn(console, email), organizationId };
}
type Terms = Partial<In<typeof commitments.makeCommitment>>;
const bodyOf = (terms: Terms = {}): In<typeof commitments.makeCommitment> => ({
  organizationId: one.organizationId,
  name: { zhTW: '年度承諾', enUS: 'Annual commitment' },
  months: 12,
  period: 'quarter',
  amounts: [twd(3000)],
  ...terms,
});
const make = (terms: Terms = {}, language: 'zhTW' | 'enUS' = 'enUS') =>
  console.call(commitments.makeCommitment, bodyOf(terms), { token: admin, language });
const made = async (terms: Terms = {}) => {
  const answer = await make(terms);
  expect(answer.envelope).toMatchObject({ isSuccess: true });
  return answer.data;
};
const detail = (commitmentId: Id<'cmt'>) =>
  console.ok(commitments.adminGetCommitment, { commitmentId }, { token: admin });
const end = (
  commitmentId: Id<'cmt'>,
  lastMonth: BillingMonth,
  settlement: Settlement = 'none',
  language: 'zhTW' | 'enUS' = 'enUS',
) =>
  console.call(
    commitments.endCommitment,
    { commitmentId, lastMonth, settlement, reason: 'moved away' },
    { token: admin, language },
  );
const inForce = async (
  of: BillingMonth,
  without?: Id<'bil'>,
  owner = one.organizationId,
): Promise<readonly CommitmentInForce[]> =>
  (await unit((ctx) => commitmentsOf(ctx, [owner], of, without))).get(owner) ?? [];
const only = async (of: BillingMonth, without?: Id<'bil'>): Promise<CommitmentInForce> =>
  required((await inForce(of, without))[0], 'a commitment in force');
const bill = (name: string) => `bil_${`${count}x${name}`.padStart(26, '0')}` as Id<'bil'>;
const usage = (left: number): DrawLine[] => [{ serviceId: null, nature: 'usage', left: BigInt(left) }];

/**
 * Bills as a close does: read, held, used and recorded in one transaction; returns what it used and charged.
 */
const issue = (
  name: string,
  of: BillingMonth,
  left: number,
  without?: Id<'bil'>,
): Promise<[drawn: bigint, trueUp: bigint][]> =>
  unit(async (ctx) => {
    if (without) await releaseDraws(ctx, without);
    const found = (await commitmentsOf(ctx, [one.organizationId], of)).get(one.organizationId) ?? [];
    expect(await holdCommitments(ctx, found)).toBe(true);
    const drawn = found.map((commitment) => ({ commitment, ...drawDown(commitment, usage(left)) }));
    await recordDraws(
      ctx,
      drawn.map(({ commitment, drawn: minor, trueUp }) => ({
        id: commitment.id,
        billId: bill(name),
        billNumber: `B-${name}`,
        month: of,
        period: commitment.period.index,
        drawn: twd(minor),
        trueUp: twd(trueUp),
        isSettlement: commitment.settles,
        draws: [],
      })),
    );
    return drawn.map(({ drawn: minor, trueUp }): [bigint, bigint] => [minor, trueUp]);
  });
const release = (name: string) => unit((ctx) => releaseDraws(ctx, bill(name)));

/** Invariants: totals equal the uses of valid bills. */
async function expectSound(): Promise<void> {
  const { rows } = await sql<{ wrong: string }>`
    select 'sums of ' || p.commitment_id || ' ' || p.period as wrong from commitment_period p left join lateral (
        select coalesce(sum(drawn_minor), 0) as drawn, coalesce(sum(true_up_minor), 0) as true_up, count(*) filter (where is_settlement) as settlements
        from commitment_use u where u.commitment_id = p.commitment_id and u.period = p.period and u.released_at is null) u on true
      where (p.drawn_minor, p.true_up_minor, p.settlements) <> (u.drawn, u.true_up, u.settlements)
    union all select 'no sums of ' || u.commitment_id from commitment_use u where not exists (select from commitment_period p where p.commitment_id = u.commitment_id and p.period = u.period)`.execute(
    db(),
  );
  expect(rows).toEqual([]);
}

beforeAll(async () => {
  console = await createTestConsole(new Date('2026-11-10T04:00:00Z'));
  admin = await setUp(console);
});
beforeEach(async () => {
  console.clock.set(new Date('2026-11-10T04:00:00Z'));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  one = await organization();
  return expectSound;
});

describe('T-CMT: creating a commitment', () => {
  it('stores its terms and one amount for every period, and is logged', async () => {
    const found = await made({ note: 'signed in October', committedPercent: '80.5', overagePercent: '90' });
    expect(found).toMatchObject({
      organizationId: one.organizationId,
      name: { zhTW: '年度承諾', enUS: 'Annual commitment' },
      state: 'active',
      currency: 'TWD',
      scope: { services: null, usageOnly: false },
      startsOn: november,
      lastMonth: '2027-10',
      months: 12,
      period: 'quarter',
      committedPercent: '80.5',
      overagePercent: '90',
      amounts: [twd(3000), twd(3000), twd(3000), twd(3000)],
      note: 'signed in October',
      createdBy: 'Operator',
      settlement: null,
      uses: [],
      // This month is the first one, so it can still end with the month before it begins.
      endsFrom: october,
    });
    expect(found.periods.map(({ firstMonth, lastMonth, state }) => [firstMonth, lastMonth, state])).toEqual([
      [november, january, 'running'],
      ['2027-02', '2027-04', 'upcoming'],
      ['2027-05', '2027-07', 'upcoming'],
      ['2027-08', '2027-10', 'upcoming'],
    ]);
    expect(found.current).toMatchObject({
      index: 0,
      amount: twd(3000),
      outlook: { used: twd(0), expected: twd(0), trueUp: twd(3000), risk: 'behind' },
    });
    const { items } = await console.ok(audit.listAudit, {} as never, { token: admin });
    expect(items[0]).toMatchObject({ action: 'commitments.makeCommitment', subject: found.id });
  });

  it('accepts an amount for each period of a ramp', async () => {
    const found = await made({ amounts: [twd(1000), twd(2000), twd(3000), twd(4000)] });
    expect(found.periods.map(({ amount }) => amount.minor)).toEqual([1000n, 2000n, 3000n, 4000n]);
    expect((await only(november)).amount).toBe(1000n);
    expect((await only(month('2027-02'))).amount).toBe(2000n);
    expect((await only(month('2027-10'))).amount).toBe(4000n);
  });

  it('may start with the previous month, whose bill may not be issued yet', async () => {
    expect(await made({ startsOn: october })).toMatchObject({ startsOn: october, state: 'active' });
    expect(await made({ startsOn: december })).toMatchObject({ state: 'upcoming', endsFrom: november });
  });

  it('rejects a charge of a service that it does not name, with a message about commitments', async () => {
    const serviceOf = async (name: string) =>
      (
        await console.ok(
          catalogue.createService,
          {
            name,
            type: 'Compute',
            category: 'Own',
            currency: 'TWD',
            charges: [
              {
                key: 'seats',
                name: { zhTW: '席次', enUS: 'Seats' },
                kind: 'recurring',
                model: 'per_unit',
                unitPrice: '5',
              },
            ],
          },
          { token: admin },
        )
      ).id;
    const [named, other] = [await serviceOf('Named'), await serviceOf('Other')];
    const scope = {
      services: [named],
      charges: [{ serviceId: other, chargeKey: 'seats' }],
      usageOnly: false,
    };
    const refusal = async (language: 'zhTW' | 'enUS') => {
      const { status, envelope } = await make({ scope }, language);
      return [status, envelope.errors?.map(({ field, message }) => [field, message])];
    };
    expect(await refusal('enUS')).toEqual([
      400,
      [['scope.charges', 'Other is not among the services chosen. Add it, or remove its charges.']],
    ]);
    expect(await refusal('zhTW')).toEqual([
      400,
      [['scope.charges', '「Other」不在所選的服務之內，請加入該服務，或移除其計費項目。']],
    ]);
  });

  it.each<[string, Terms, [field: string, code: string][]]>([
    ['a start long ago', { startsOn: september }, [['startsOn', 'starts_too_early']]],
    ['a start in the distant future', { startsOn: month('2031-12') }, [['startsOn', 'starts_too_late']]],
    ['months that are not whole quarters', { months: 11 }, [['months', 'months_not_whole_periods']]],
    ['another number of amounts', { amounts: [twd(1), twd(2)] }, [['amounts', 'amounts_wrong_number']]],
    [
      'a zero and a far too large amount',
      { amounts: [twd(1), twd(0), twd(10n ** 12n), money(5n, 'USD')] },
      [
        ['amounts.1', 'amount_not_positive'],
        ['amounts.2', 'amount_too_large'],
        ['amounts.3', 'amounts_other_currency'],
      ],
    ],
    [
      'rates out of range',
      { committedPercent: '100.1', overagePercent: '80.00001' },
      [
        ['committedPercent', 'percent_out_of_range'],
        ['overagePercent', 'percent_out_of_range'],
      ],
    ],
    ['a rate of zero', { committedPercent: '0' }, [['committedPercent', 'percent_out_of_range']]],
    [
      'an overage of eleven times the price',
      { overagePercent: '1100' },
      [['overagePercent', 'percent_out_of_range']],
    ],
    [
      'a service that does not exist',
      { scope: { services: [`svc_${'0'.repeat(26)}` as Id<'svc'>], usageOnly: false } },
      [['scope.services.0', 'service_unknown']],
    ],
  ])('rejects %s at its field, in both languages', async (_name, terms, fields) => {
    const { status, envelope } = await make(terms);
    expect(status).toBe(400);
    expect(envelope.errors?.map(({ field, code }) => [field, code])).toEqual(
      fields.map(([field, code]) => [field, `commitments.${code}`]),
    );
    for (const { message } of envelope.errors ?? []) expect(message).not.toMatch(/\{\{|commitments\./);
    for (const { message } of (await make(terms, 'zhTW')).envelope.errors ?? [])
      expect(message).toMatch(/\p{Script=Han}/u);
  });

  it('explains how to correct it, with the month formatted for people', async () => {
    const { envelope } = await make({ startsOn: september });
    expect(envelope.errors?.[0]?.message).toBe(
      'Choose Oct 2026 or a later month; earlier bills are already issued.',
    );
  });

  it('twice with one key creates one', async () => {
    const again = () =>
      console.ok(commitments.makeCommitment, bodyOf(), {
        token: admin,
        headers: { 'idempotency-key': `commit-${one.organizationId}` },
      });
    const first = await again();
    expect((await again()).id).toBe(first.id);
    expect(await inForce(november)).toHaveLength(1);
  });

  it('fixes its terms in the database; its name and note can change', async () => {
    const { id } = await made();
    await expect(
      sql`update commitment set amounts_minor = '{1,2,3,4}' where id = ${id}`.execute(db()),
    ).rejects.toThrow('fixed');
    await expect(sql`delete from commitment where id = ${id}`.execute(db())).rejects.toThrow();
    const renamed = await console.ok(
      commitments.updateCommitment,
      { commitmentId: id, name: { zhTW: '新', enUS: 'New' } },
      { token: admin },
    );
    expect(renamed).toMatchObject({ name: { zhTW: '新', enUS: 'New' }, note: '' });
    expect((await only(november)).name).toEqual({ zhTW: '新', enUS: 'New' });
  });
});

describe('T-CMT: usage by a month’s bills', () => {
  it('is of commitments of the month and the organization, in the order in which lines are assigned', async () => {
    const everything = await made({ startsOn: october });
    await made({ startsOn: december });
    const service = await console.ok(
      catalogue.createService,
      {
        name: 'Machine',
        type: 'VM',
        category: 'Compute',
        pricing: { model: 'per_unit', currency: 'TWD', baseFee: '100', unitPrice: '2' },
        meter: { eventType: 'hour', aggregation: 'sum', unit: 'hours' },
      } as never,
      { token: admin },
    );
    await moveTo('2026-11-10T05:00:00Z');
    const named = await made({ scope: { services: [service.id], usageOnly: true } });
    const other = await organization();
    expect((await inForce(november)).map(({ id }) => id)).toEqual([named.id, everything.id]);
    expect((await inForce(october)).map(({ id }) => id)).toEqual([everything.id]);
    expect(await inForce(september)).toEqual([]);
    expect(await inForce(month('2027-10'))).toHaveLength(2);
    expect(await inForce(november, undefined, other.organizationId)).toEqual([]);
    expect(await unit((ctx) => commitmentsOf(ctx, [], november))).toEqual(new Map());
  });

  it('adds up over the bills of a period, and restarts with the next period', async () => {
    const { id } = await made({ committedPercent: '80' });
    expect(await issue('1', november, 1000)).toEqual([[800n, 0n]]);
    expect(await only(december)).toMatchObject({ id, drawn: 800n, trueUp: 0n, settles: false });
    expect(await issue('2', december, 2000)).toEqual([[1600n, 0n]]);
    // 3000 less what was used; the bill of the last month charges the shortfall.
    expect(await only(january)).toMatchObject({ drawn: 2400n, settles: true });
    expect(await issue('3', january, 500)).toEqual([[400n, 200n]]);
    expect(await only(month('2027-02'))).toMatchObject({
      period: { index: 1, firstMonth: '2027-02', lastMonth: '2027-04' },
      drawn: 0n,
      settles: false,
    });
    const { periods, uses } = await detail(id);
    expect(periods[0]).toMatchObject({ drawn: twd(2800), trueUp: twd(200), state: 'settled' });
    expect(uses.map((use) => [use.bill.number, use.month, use.drawn.minor, use.isSettlement])).toEqual([
      ['B-3', january, 400n, true],
      ['B-2', december, 1600n, false],
      ['B-1', november, 800n, false],
    ]);
  });

  it('is computed without a bill as if that one were void, and no longer counts once it is', async () => {
    await made();
    await issue('1', november, 1000);
    await issue('2', december, 500);
    await issue('3', january, 100);
    expect(await only(january)).toMatchObject({ drawn: 1600n, trueUp: 1400n, settles: true });
    expect(await only(january, bill('3'))).toMatchObject({ drawn: 1500n, trueUp: 0n, settles: true });
    // The period was settled, so the reissued bill of an earlier month settles, too.
    expect(await only(november, bill('1'))).toMatchObject({ drawn: 600n, trueUp: 1400n, settles: true });
    expect(await only(november, bill('3'))).toMatchObject({ drawn: 1500n, settles: false });
    expect(await issue('1b', november, 1200, bill('1'))).toEqual([[1200n, -200n]]);
    expect(await only(january)).toMatchObject({ drawn: 1800n, trueUp: 1200n });
    await release('1b');
    await release('1b');
    expect(await only(january)).toMatchObject({ drawn: 600n, trueUp: 1400n });
    await expect(
      sql`update commitment_use set released_at = null where bill_id = ${bill('1b')}`.execute(db()),
    ).rejects.toThrow('fixed');
    await expect(
      sql`delete from commitment_use where bill_id = ${bill('2')}`.execute(db()),
    ).rejects.toThrow();
  });

  it('is recorded once per bill, and a true-up is charged only with settlement', async () => {
    await made();
    await issue('1', november, 10);
    await expect(issue('1', november, 10)).rejects.toThrow('duplicate key');
    const { id } = await only(november);
    const row = { id, billId: bill('2'), billNumber: 'B-2', month: november, period: 0, drawn: twd(0) };
    await expect(
      unit((ctx) => recordDraws(ctx, [{ ...row, trueUp: twd(5), isSettlement: false, draws: [] }])),
    ).rejects.toThrow('check');
  });

  it('is never negative in a period', async () => {
    const { id } = await made();
    await issue('1', november, 100);
    const refund = (name: string, minor: number) =>
      unit((ctx) =>
        recordDraws(ctx, [
          {
            id,
            billId: bill(name),
            billNumber: `B-${name}`,
            month: december,
            period: 0,
            drawn: twd(minor),
            trueUp: twd(0),
            isSettlement: false,
            draws: [],
          },
        ]),
      );
    await expect(refund('2', -101)).rejects.toThrow('drew less');
    await refund('2', -60);
    // Voiding the first bill must not fail; the next bills make up for what others returned.
    await release('1');
    expect(await only(january)).toMatchObject({ drawn: -60n });
    await expect(refund('3', -1)).rejects.toThrow('drew less');
    expect((await detail(id)).periods[0]?.drawn).toEqual(twd(0));
    expect(await issue('4', december, 50)).toEqual([[50n, 0n]]);
  });

  it('T-CMT: fifty concurrent bills use the same as fifty consecutive ones', async () => {
    await made({ amounts: [twd(1000)], months: 3 });
    const attempt = async (name: string): Promise<bigint> => {
      for (;;) {
        const drawn = await unit(async (ctx) => {
          const [commitment] =
            (await commitmentsOf(ctx, [one.organizationId], november)).get(one.organizationId) ?? [];
          const found = required(commitment, 'the commitment');
          if (!(await holdCommitments(ctx, [found]))) return undefined;
          const { drawn: minor } = drawDown(found, usage(30));
          await recordDraws(ctx, [
            {
              id: found.id,
              billId: bill(name),
              billNumber: `B-${name}`,
              month: november,
              period: 0,
              drawn: twd(minor),
              trueUp: twd(0),
              isSettlement: false,
              draws: [],
            },
          ]);
          return minor;
        });
        if (drawn !== undefined) return drawn;
      }
    };
    const drawn = await Promise.all(Array.from({ length: 50 }, (_, index) => attempt(`p${index}`)));
    expect(drawn.reduce((sum, each) => sum + each, 0n)).toBe(1000n);
    expect((await only(november)).drawn).toBe(1000n);
  }, 60_000);

  it('T-CMT: fifty concurrent refunds return no more than was used, even without a lock', async () => {
    const { id } = await made();
    await issue('1', november, 100);
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) =>
        unit((ctx) =>
          recordDraws(ctx, [
            {
              id,
              billId: bill(`r${index}`),
              billNumber: `B-r${index}`,
              month: november,
              period: 0,
              drawn: twd(-7),
              trueUp: twd(0),
              isSettlement: false,
              draws: [],
            },
          ]),
        ),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(14);
    expect((await only(november)).drawn).toBe(2n);
  }, 60_000);

  it('T-CMT: reading, holding and releasing take one statement each for two hundred organizations', async () => {
    await made();
    await unit(async (ctx) => {
      await sql`insert into organization (id, name, time_zone, language, created_at)
        select 'org_' || lpad(${String(count)} || 'x' || n, 26, '0'), 'Many ' || n, 'Asia/Taipei', 'zhTW', now() from generate_series(1, 200) n`.execute(
        ctx.db,
      );
      await sql`insert into commitment (id, organization_id, name_zh_tw, name_en_us, currency, usage_only, starts_on, months, period, period_months, amounts_minor, committed_percent, overage_percent, last_month, note, created_at, created_by, creator_name)
        select 'cmt_' || right(o.id, 26), o.id, 'c', 'c', 'TWD', false, '2026-11', 3, 'quarter', 3, '{1000}', 100, 100, '2027-01', '', now(), 'x', 'x' from organization o where o.name like 'Many %'`.execute(
        ctx.db,
      );
    });
    const { rows } = await sql<{ id: string }>`select id from organization where name like 'Many %'`.execute(
      db(),
    );
    await unit(async (ctx) => {
      let statements = 0;
      const counted = {
        ...ctx,
        db: ctx.db.withPlugin({
          transformQuery: ({ node }) => node,
          transformResult: ({ result }) => {
            statements += 1;
            return Promise.resolve(result);
          },
        }),
      };
      const took = async <T>(run: Promise<T>): Promise<readonly [T, number]> => {
        const before = statements;
        return [await run, statements - before];
      };
      const ids = rows.map(({ id }) => id);
      const [found, forReading] = await took(commitmentsOf(counted, ids, november));
      const all = [...found.values()].flat();
      expect([all.length, forReading]).toEqual([200, 1]);
      expect(await took(holdCommitments(counted, all))).toEqual([true, 1]);
      const [, forRecording] = await took(
        recordDraws(
          counted,
          all.map(({ id }, index) => ({
            id,
            billId: bill(`m${index}`),
            billNumber: `B-m${index}`,
            month: november,
            period: 0,
            drawn: twd(5),
            trueUp: twd(0),
            isSettlement: false,
            draws: [],
          })),
        ),
      );
      expect(forRecording).toBe(1);
      const again = await commitmentsOf(counted, ids, december);
      expect([...again.values()].flat().every(({ drawn }) => drawn === 5n)).toBe(true);
      expect((await took(releaseDraws(counted, bill('m0'))))[1]).toBe(1);
    });
  });

  it('T-CMT: a page shows the current forecast of its commitments, with as many statements for eight as for two hundred', async () => {
    const bills = { plannedDraw, closedFor };
    const { adminListCommitments } = commitmentsFeature(bills).verbs;
    const statementsOf = (limit: number): Promise<number> =>
      unitOfWork(console.app, { actor: { kind: 'system', name: 'test' }, mode: 'read' }, async (ctx) => {
        let statements = 0;
        const db = ctx.db.withPlugin({
          transformQuery: ({ node }) => node,
          transformResult: ({ result }) => {
            statements += 1;
            return Promise.resolve(result);
          },
        });
        const page = await required(adminListCommitments, 'the list')(
          { ...ctx, db },
          { q: 'Many ', limit, sort: 'startsOn' } as never,
          undefined as never,
        );
        expect((page as { items: object[] }).items).toHaveLength(limit);
        return statements;
      });
    expect(await statementsOf(200)).toBe(await statementsOf(8));
  });

  it('holding reports a change, and then increases no version', async () => {
    await made();
    await made();
    const read = await inForce(november);
    expect(await unit((ctx) => holdCommitments(ctx, []))).toBe(true);
    expect(await unit((ctx) => holdCommitments(ctx, [...read, ...read]))).toBe(true);
    expect(await unit((ctx) => holdCommitments(ctx, read))).toBe(false);
    const again = await inForce(november);
    expect(again.map(({ version }) => version)).toEqual(read.map(({ version }) => version + 1n));
    const [first, second] = [required(again[0], 'the first'), required(again[1], 'the second')];
    await end(second.id, november, 'none');
    expect(await unit((ctx) => holdCommitments(ctx, [first, second]))).toBe(false);
    expect((await inForce(november)).find(({ id }) => id === first.id)?.version).toBe(first.version);
  });
});

describe('T-CMT: ending early', () => {
  it.each<[Settlement, bigint]>([
    ['none', 0n],
    ['prorated', 2000n],
    ['period', 3000n],
    ['all', 15_000n],
  ])('%s: the amount due is on the bill of its last month', async (settlement, target) => {
    const { id } = await made({ amounts: [twd(3000), twd(4000), twd(4000), twd(4000)] });
    await issue('1', november, 500);
    const ended = await end(id, december, settlement);
    expect(ended.envelope).toMatchObject({ isSuccess: true });
    expect(ended.data).toMatchObject({
      state: 'active',
      lastMonth: december,
      settlement,
      endedBy: 'Operator',
      endReason: 'moved away',
      endsFrom: null,
      periods: [{ lastMonth: december, amount: twd(3000), target: twd(target) }],
    });
    expect(await only(december)).toMatchObject({ amount: 3000n, target, settles: true });
    const missing = target > 600n ? target - 600n : 0n;
    expect(await issue('2', december, 100)).toEqual([[100n, missing]]);
    expect(await inForce(january)).toEqual([]);
    await moveTo('2027-01-05T04:00:00Z');
    const over = await detail(id);
    expect(over).toMatchObject({ state: 'ended', current: { index: 0, outlook: null } });
    expect(over.periods).toMatchObject([{ drawn: twd(600), trueUp: twd(missing), state: 'settled' }]);
    // Reissuing the bill of an earlier month does not change it.
    const rest = target > 1100n ? target - 1100n : 0n;
    expect(await issue('1b', november, 1000, bill('1'))).toEqual([[1000n, rest - missing]]);
  });

  it('with the month before it begins cancels it, and nothing is due', async () => {
    const { id } = await made({ startsOn: december });
    expect((await end(id, november, 'period')).envelope.errors).toMatchObject([
      { field: 'settlement', code: 'commitments.nothing_to_settle' },
    ]);
    const { data } = await end(id, november, 'none');
    expect(data).toMatchObject({ state: 'ended', lastMonth: november, periods: [], current: null });
    expect(await inForce(december)).toEqual([]);
  });

  it.each<[string, BillingMonth, string]>([
    ['before the previous month', month('2026-09'), 'ends_too_early'],
    ['with a billed month', october, 'month_billed'],
    ['with its last month', month('2027-09'), 'ends_anyway'],
  ])('rejects an end %s, in both languages', async (_name, lastMonth, code) => {
    const { id } = await made({ startsOn: october });
    if (code === 'month_billed') await issue('1', october, 10);
    const { status, envelope } = await end(id, lastMonth);
    expect([status, envelope.errors?.[0]?.field, envelope.errors?.[0]?.code]).toEqual([
      400,
      'lastMonth',
      `commitments.${code}`,
    ]);
    const inChinese = await end(id, lastMonth, 'none', 'zhTW');
    expect(inChinese.envelope.errors?.[0]?.message).toMatch(/20\d\d年\d+月/);
  });

  it('is possible once, and not after its term', async () => {
    const { id } = await made({ months: 3 });
    await moveTo('2027-02-03T04:00:00Z');
    expect((await end(id, december)).envelope).toMatchObject({ code: 'commitments.has_ended' });
    await moveTo('2026-11-10T04:00:00Z');
    const both = await Promise.all([end(id, november), end(id, december)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('a bill that was planned before is planned again', async () => {
    const { id } = await made();
    const before = await inForce(november);
    await end(id, november, 'prorated');
    expect(await unit((ctx) => holdCommitments(ctx, before))).toBe(false);
  });
});

describe('T-CMT: lists and forecasts of commitments', () => {
  const list = (input: Omit<In<typeof commitments.adminListCommitments>, 'organizationId'> = {}) =>
    console.ok(
      commitments.adminListCommitments,
      { organizationId: one.organizationId, ...input },
      { token: admin },
    );
  const planned = (draws: Readonly<Record<string, bigint>>) =>
    unit((ctx) =>
      estimate(
        ctx,
        {
          plannedDraw: () =>
            Promise.resolve(new Map(Object.entries(draws).map(([id, draw]) => [id, { draw }]))),
          closedFor: () => Promise.resolve(new Set<string>()),
        },
        [one.organizationId],
      ),
    );

  it('filter by state, risk and text, and sort by shortfall', async () => {
    const behind = await made({ name: { zhTW: '落後', enUS: 'Behind' } });
    const over = await made({ name: { zhTW: '超前', enUS: 'Over' } });
    const good = await made({ name: { zhTW: '剛好', enUS: 'Good' }, note: 'lucky' });
    await made({ startsOn: december });
    const canceled = await made({ startsOn: december });
    await end(canceled.id, november, 'none');
    await planned({ [behind.id]: 900n, [over.id]: 1500n, [good.id]: 1000n });
    const ids = async (input: Parameters<typeof list>[0]) => (await list(input)).items.map(({ id }) => id);
    expect(await ids({ risk: 'behind' })).toEqual([behind.id]);
    expect(await ids({ risk: 'over' })).toEqual([over.id]);
    expect(await ids({ risk: 'on_track' })).toEqual([good.id]);
    expect(await ids({ state: 'ended' })).toEqual([canceled.id]);
    expect((await list({ state: 'upcoming' })).total).toBe(1);
    expect((await list({ state: 'active' })).total).toBe(3);
    expect(await ids({ q: 'lucky' })).toEqual([good.id]);
    expect(await ids({ q: '落後' })).toEqual([behind.id]);
    expect(await ids({ currency: 'USD' })).toEqual([]);
    expect((await ids({ sort: '-trueUp' }))[0]).toBe(behind.id);
    // The forecast shown is computed now, as for a single commitment: nothing was used.
    const [shown] = (await list({ risk: 'behind' })).items;
    expect(shown?.current?.outlook).toEqual({
      used: twd(0),
      expected: twd(0),
      trueUp: twd(3000),
      risk: 'behind',
    });
    const [passed] = (await list({ risk: 'over' })).items;
    expect(passed?.current).toEqual((await detail(over.id)).current);
  });

  it('show the next period from its first moment, whatever was last estimated', async () => {
    const { id } = await made();
    await planned({ [id]: 900n });
    await moveTo('2027-02-01T04:00:00Z');
    const [shown] = (await list()).items;
    expect(shown?.current).toMatchObject({ index: 1, outlook: { used: twd(0), trueUp: twd(3000) } });
  });

  it('are updated by a job after bills are issued', async () => {
    const { id } = await made();
    await issue('1', november, 2000);
    await expect
      .poll(async () => (await list()).items[0]?.current?.outlook?.used.minor, { timeout: 10_000 })
      .toBe(2000n);
    expect((await detail(id)).current?.outlook).toMatchObject({ used: twd(2000) });
  });

  it('are exported with a row for each, with the figures of its period', async () => {
    const { id } = await made({ committedPercent: '80' });
    await planned({ [id]: 900n });
    const { body } = await console.ok(
      commitments.adminExportCommitments,
      {
        organizationId: one.organizationId,
        format: 'csv',
        language: 'enUS',
      },
      { token: admin },
    );
    const text = new TextDecoder().decode(body as Uint8Array);
    expect(text).toContain('Forecast true-up');
    expect(text).toContain(
      'Annual commitment,Active,TWD,2026-11,2027-10,Quarterly,2026-11,2027-01,3000,900,2700,300,Behind,2026-11-10T04:00:00.000Z,80,100,All services',
    );
  });

  it('of a customer show rates, periods and forecast, without notes and names of staff', async () => {
    const { id } = await made({ note: 'our margin is thin', committedPercent: '80' });
    await issue('1', november, 500);
    await moveTo('2026-12-02T04:00:00Z');
    const other = await organization();
    const own = await console.ok(commitments.ownCommitments, {}, { token: one.token });
    expect(own.items).toMatchObject([
      {
        id,
        committedPercent: '80',
        current: { drawn: twd(400), outlook: { used: twd(400), expected: twd(1200), trueUp: twd(1800) } },
        periods: [{ drawn: twd(400) }, {}, {}, {}],
      },
    ]);
    expect(
      JSON.stringify(own, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
    ).not.toMatch(/margin|Operator|Org /);
    expect((await console.ok(commitments.ownCommitments, {}, { token: other.token })).items).toEqual([]);
  });

  it('use the organization’s own current month', async () => {
    one = await organization('America/New_York');
    console.clock.set(new Date('2026-12-01T01:00:00Z'));
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    expect(await made({ months: 1, period: 'month' })).toMatchObject({
      startsOn: november,
      state: 'active',
      lastMonth: november,
    });
    expect(addMonths(november, 1)).toBe(december);
  });
});
