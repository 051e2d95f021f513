// Dunning: the steps up to suspension and back, whatever happens in between (domain.md, "Closing a month";
// R-BILL).
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalDay } from '#kernel/shape.ts';
import { dayOf } from '#kernel/time.ts';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { addPaid } from '#features/invoicing/billing/server/index.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { dunning, type DunningPlan, type Rehearsal } from '#features/receivables/dunning/contract.ts';
import { dun } from '#features/receivables/dunning/server/index.ts';
import { initialSteps } from '#features/receivables/dunning/rules.ts';
import { identity } from '#features/access/identity/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { quotas } from '#features/metering/quotas/contract.ts';
import { rejections } from '#features/metering/rejections/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { openMailbox, type Mailbox } from '../support/mail.ts';
import {
  at,
  billOf,
  close,
  credit,
  customer,
  db,
  expectSoundBooks,
  moveTo,
  november,
  pay,
  startBilling,
  topUp,
  twd,
  use,
  type Customer,
} from '../support/corrections.ts';

const flat = { model: 'flat', currency: 'TWD', baseFee: '3000' } as const;
const metered = { model: 'per_unit', currency: 'TWD', unitPrice: '1', baseFee: '3000' } as const;
const plan = (more: Partial<DunningPlan> = {}): DunningPlan => ({
  steps: [...initialSteps],
  minimums: [],
  deferDays: 3,
  ...more,
});
const asAdmin = () => ({ token: at.admin });
const look = () => dun(at.console.app);
/** Sets the clock early on a day in Taipei and runs the hourly job. */
const early = (day: string): Promise<void> =>
  moveTo(new Date(new Date(`${day}T00:02:00+08:00`).getTime()).toISOString());
async function days(from: string, to: string): Promise<void> {
  for (
    let day = new Date(`${from}T00:00:00Z`);
    day <= new Date(`${to}T00:00:00Z`);
    day = new Date(day.getTime() + 86_400_000)
  ) {
    at.console.clock.set(new Date(day.getTime() - 8 * 3_600_000 + 120_000));
    await look();
  }
  await early(to);
}
const steps = async (one: Customer): Promise<string[]> =>
  (
    await sql<{
      line: string;
    }>`select s.round || ' ' || to_char(s.taken_at at time zone 'Asia/Taipei', 'MM-DD') || ' ' || case when s.is_skipped then '-' else '' end || s.step as line
  from dunning_step s join bill b on b.id = s.bill_id where b.organization_id = ${one.organizationId} order by s.taken_at, s.day`.execute(
      db(),
    )
  ).rows.map((row) => row.line);
const subscription = async (one: Customer) =>
  at.console.ok(
    subscriptions.getSubscription,
    { subscriptionId: one.subscriptionIds[0]! },
    { token: one.token },
  );
const stateOf = async (one: Customer): Promise<string> => (await subscription(one)).state;
const messagesOf = async (one: Customer): Promise<string[]> =>
  (await at.console.ok(notifications.listNotifications, { limit: 100 }, { token: one.token })).items.map(
    (each) => each.message,
  );
const standing = (one: Customer) => at.console.ok(dunning.dunningStanding, {}, { token: one.token });

async function switchOn(wanted = plan()): Promise<Rehearsal> {
  await at.console.ok(dunning.switchDunning, { isOn: false }, asAdmin());
  await at.console.ok(dunning.saveDunning, { plan: wanted }, asAdmin());
  const rehearsal = await at.console.ok(dunning.rehearseDunning, {}, asAdmin());
  await at.console.ok(dunning.switchDunning, { isOn: true, rehearsalId: rehearsal.id }, asAdmin());
  return rehearsal;
}

const made: Record<
  | 'whole'
  | 'credited'
  | 'voided'
  | 'granted'
  | 'rival'
  | 'york'
  | 'leaver'
  | 'exempt'
  | 'small'
  | 'paying'
  | 'spare',
  Customer
> = {} as never;
let mailbox: Mailbox;
afterAll(() => mailbox.close());
beforeAll(async () => {
  mailbox = await openMailbox();
  await startBilling({ SMTP_URL: mailbox.url, MAIL_FROM: 'billing@cloud.example' });
  for (const name of [
    'whole',
    'credited',
    'voided',
    'granted',
    'rival',
    'york',
    'leaver',
    'exempt',
    'paying',
    'spare',
  ] as const)
    made[name] = await customer(name === 'whole' ? metered : flat);
  made.small = await customer({ ...flat, baseFee: '100' });
  await sql`update organization set time_zone = 'America/New_York' where id = ${made.york.organizationId}`.execute(
    db(),
  );
  // Due 30 days later: 4 November.
  await moveTo('2024-10-05T03:00:00Z');
  await close('2024-09' as never);
});

describe('before dunning is switched on', () => {
  it('days begin at midnight in the organization’s time zone, even on a day of 25 hours', async () => {
    await sql`update organization set time_zone = 'Europe/Berlin' where id = ${made.exempt.organizationId}`.execute(
      db(),
    );
    const found: (number | undefined)[] = [];
    for (const moment of [
      '2024-10-26T21:59:00Z',
      '2024-10-26T22:01:00Z',
      '2024-10-27T22:59:00Z',
      '2024-10-27T23:01:00Z',
    ]) {
      await moveTo(moment);
      found.push(
        (await at.console.ok(dunning.billDunning, { billId: (await billOf(made.exempt)).id }, asAdmin())).now
          ?.days,
      );
    }
    // Due on the 4th of November there; daylight saving time ends on the 27th of October.
    expect(found).toEqual([-9, -8, -8, -7]);
    await sql`update organization set time_zone = 'Asia/Taipei' where id = ${made.exempt.organizationId}`.execute(
      db(),
    );
  });

  it('nothing happens, and it can be switched on only after a preview of the same steps', async () => {
    await early('2024-10-31');
    await look();
    expect(await steps(made.whole)).toEqual([]);
    expect((await at.console.call(dunning.switchDunning, { isOn: true }, asAdmin())).envelope.code).toBe(
      'dunning.rehearse_first',
    );
    const draft = await at.console.ok(dunning.rehearseDunning, { plan: plan({ deferDays: 5 }) }, asAdmin());
    expect(
      (await at.console.call(dunning.switchDunning, { isOn: true, rehearsalId: draft.id }, asAdmin()))
        .envelope.code,
    ).toBe('dunning.rehearse_first');
    expect(
      (
        await at.console.call(
          dunning.rehearseDunning,
          { plan: plan({ steps: [{ day: 1, action: 'suspend' }] }) },
          asAdmin(),
        )
      ).envelope.code,
    ).toBe('platform.invalid');
    expect(await steps(made.whole)).toEqual([]);
    expect((await at.console.ok(dunning.getDunning, {}, asAdmin())).isOn).toBe(false);
  });
});

describe('with dunning switched on', () => {
  let rehearsal: Rehearsal;
  beforeAll(async () => {
    await at.console.ok(
      dunning.exemptOrganization,
      { organizationId: made.exempt.organizationId, reason: 'partner' },
      asAdmin(),
    );
    await at.console.ok(
      payments.setBankAccount,
      { bank: 'Bank', holder: 'Skytally', account: '123', note: '' },
      asAdmin(),
    );
    await at.console.ok(
      payments.payBill,
      { billId: (await billOf(made.paying)).id, method: 'bank_transfer' },
      { token: made.paying.token },
    );
    rehearsal = await switchOn(plan({ minimums: [twd(200)] }));
  });

  it('a bill leads to suspension step by step, each step once, and services run while it is past due', async () => {
    await days('2024-11-01', '2024-11-13');
    await early('2024-11-14');
    // It fails between a step and its effects: nothing of the step is stored.
    await sql`create function die() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`.execute(
      db(),
    );
    await sql`create trigger die before insert on notification for each row when (new.kind = 'dunning.past_due') execute function die()`.execute(
      db(),
    );
    await expect(look()).rejects.toThrow('killed');
    expect([await stateOf(made.whole), (await steps(made.whole)).length]).toEqual(['active', 4]);
    await sql`drop trigger die on notification`.execute(db());
    // Several concurrent runs, and a repeated one, take each step once.
    await Promise.all([look(), look(), look()]);
    await look();
    const soFar = [
      '0 11-01 reminder -3',
      '0 11-04 reminder 0',
      '0 11-07 reminder 3',
      '0 11-11 reminder 7',
      '0 11-14 past_due',
    ];
    expect(await steps(made.whole)).toEqual(soFar);
    expect(await stateOf(made.whole)).toBe('past_due');
    // Each notice has its e-mail, and there are no others.
    const { rows: mails } = await sql<{
      period: string;
    }>`select n.period from outbox o join notification n on o.key = n.id || ' email' where o.kind = 'mail' and n.subject = ${(await billOf(made.whole)).id} and n.kind <> 'bill.issued' order by o.id`.execute(
      db(),
    );
    expect(mails.map((mail) => mail.period)).toEqual([
      '0 reminder -3',
      '0 reminder 0',
      '0 reminder 3',
      '0 reminder 7',
      '0 past_due',
    ]);
    const reminders = () =>
      mailbox.letters.filter(
        (letter) => letter.to === made.whole.email && letter.text.includes('is due on Nov 4, 2024'),
      );
    await expect.poll(() => reminders().length).toBe(1);
    expect(reminders()[0]).toMatchObject({
      subject: 'Bill B-202409-000001 is due on Nov 4, 2024. Amount due: NT$3,150',
      text: expect.stringMatching(
        /^Bill B-202409-000001 is due on Nov 4, 2024\. Amount due: NT\$3,150\.\s+See it in the console\nhttp.+month=2024-09/,
      ),
    });
    await use(made.whole, 'late but served', '40', '2024-11-13T00:00:00Z');
    expect(await standing(made.whole)).toMatchObject({
      level: 'past_due',
      bills: [{ next: { action: 'suspend', on: '2024-11-18' }, willSuspendOn: '2024-11-18' }],
    });
    await days('2024-11-15', '2024-11-18');
    expect(await steps(made.whole)).toEqual([...soFar, '0 11-18 suspend']);
    expect(await stateOf(made.whole)).toBe('suspended');
    expect((await messagesOf(made.whole)).filter((message) => /due|suspended/.test(message)).length).toBe(6);
    expect(
      (
        await at.console.ok(
          quotas.entitlement,
          { subscriptionId: made.whole.subscriptionIds[0]! },
          { token: made.whole.token },
        )
      ).allowed,
    ).toBe(false);
    expect(await steps(made.exempt)).toEqual([]);
    expect(await steps(made.small)).toEqual([]);
    expect(await stateOf(made.paying)).toBe('past_due');
  });

  it('a suspended service rejects usage, which is kept and replayed after payment; suspended days have no base fee', async () => {
    const key = (await at.console.ok(identity.createApiKey, { name: 'second' }, asAdmin())).secret;
    const event = {
      specversion: '1.0',
      id: 'while suspended',
      source: 's',
      type: 'call',
      subject: made.whole.subscriptionIds[0],
      time: '2024-11-17T17:00:00Z',
      data: { value: '7' },
    };
    await days('2024-11-19', '2024-11-19');
    const { rejected } = await at.console.ok(
      usage.ingest,
      {},
      {
        token: key,
        body: JSON.stringify([event]),
        headers: { 'content-type': 'application/cloudevents-batch+json' },
      },
    );
    expect(rejected).toMatchObject([{ code: 'usage.subscription_not_running' }]);
    expect(
      (
        await at.console.call(
          subscriptions.subscribe,
          { serviceId: (await subscription(made.rival)).service.id },
          { token: made.whole.token },
        )
      ).envelope.code,
    ).toBe('subscriptions.organization_suspended');
    await days('2024-11-20', '2024-11-21');
    await topUp(made.whole, twd(9000));
    const bill = await billOf(made.whole);
    // A partial payment is not enough.
    await pay(made.whole, bill, twd(1000));
    expect(await stateOf(made.whole)).toBe('suspended');
    await pay(made.whole, bill);
    expect(await stateOf(made.whole)).toBe('active');
    expect((await messagesOf(made.whole))[0]).toBeDefined();
    expect(await messagesOf(made.whole)).toContain('Your services have resumed. Thank you.');
    const { items } = await at.console.ok(
      subscriptions.history,
      { subscriptionId: made.whole.subscriptionIds[0]! },
      { token: made.whole.token },
    );
    expect(items.slice(0, 3).map((each) => [each.action, each.from, each.to])).toEqual([
      ['resume', 'suspended', 'active'],
      ['suspend', 'past_due', 'suspended'],
      ['past_due', 'active', 'past_due'],
    ]);
    const [rejection] = (await at.console.ok(rejections.adminListRejected, {}, asAdmin())).items;
    await at.console.ok(rejections.adminReplayRejected, { rejectedId: rejection!.id }, asAdmin());
    expect((await subscription(made.whole)).usage).toBe('47');
    await days('2024-11-22', '2024-11-25');
    expect((await steps(made.whole)).length).toBe(6);
  });

  it('a credit note or void ends the suspension immediately', async () => {
    expect([await stateOf(made.credited), await stateOf(made.voided)]).toEqual(['suspended', 'suspended']);
    await credit(await billOf(made.credited), { kind: 'rest' } as never);
    await at.console.ok(
      credits.voidBill,
      { billId: (await billOf(made.voided)).id, reason: 'wrong' },
      asAdmin(),
    );
    expect([await stateOf(made.credited), await stateOf(made.voided)]).toEqual(['active', 'active']);
  });

  it('suspension waits for a pending transfer, but only for a limited time', async () => {
    expect((await steps(made.paying)).at(-1)).toBe('0 11-21 suspend');
  });

  it('an automatic payment from the balance ends the suspension in the transaction of the deposit', async () => {
    await at.console.ok(
      payments.setAutomatic,
      { isOn: true, isPartial: false },
      { token: made.paying.token },
    );
    expect(await stateOf(made.paying)).toBe('suspended');
    await topUp(made.paying, (await billOf(made.paying)).due);
    expect([(await billOf(made.paying)).state, await stateOf(made.paying)]).toEqual(['paid', 'active']);
    await at.console.ok(
      payments.setAutomatic,
      { isOn: false, isPartial: false },
      { token: made.paying.token },
    );
  });

  it('a granted extension restarts the steps and resumes services; the due date on the bill is unchanged', async () => {
    const bill = await billOf(made.granted);
    expect(
      (
        await at.console.call(
          dunning.extendBill,
          { billId: bill.id, until: '2024-11-25' as LocalDay, reason: 'x' },
          asAdmin(),
        )
      ).envelope.code,
    ).toBe('platform.invalid');
    const history = await at.console.ok(
      dunning.extendBill,
      { billId: bill.id, until: '2024-12-05' as LocalDay, reason: 'agreed by phone' },
      asAdmin(),
    );
    expect(history.now).toMatchObject({
      dueOn: '2024-12-05',
      next: { action: 'reminder', on: '2024-12-02' },
      level: null,
    });
    expect(history.items.slice(0, 2).map((each) => each.kind)).toEqual(['resumed', 'extension']);
    expect(await stateOf(made.granted)).toBe('active');
    expect((await billOf(made.granted)).dueAt).toEqual(bill.dueAt);
    await at.console.ok(
      dunning.resumeOrganization,
      { organizationId: made.spare.organizationId, until: '2024-12-10' as LocalDay, reason: 'by hand' },
      asAdmin(),
    );
    expect(await stateOf(made.spare)).toBe('active');
    expect(
      (
        await at.console.call(
          dunning.resumeOrganization,
          { organizationId: made.spare.organizationId, until: '2024-12-10' as LocalDay, reason: 'again' },
          asAdmin(),
        )
      ).envelope.code,
    ).toBe('dunning.not_held');
  });

  it('dunning continues during a suspension: a canceled subscription ends, and does not return after payment', async () => {
    await at.console.ok(
      subscriptions.cancel,
      { subscriptionId: made.leaver.subscriptionIds[0]!, when: 'end' },
      { token: made.leaver.token },
    );
    expect(await stateOf(made.leaver)).toBe('suspended');
    await early('2024-12-01');
    expect(await stateOf(made.leaver)).toBe('canceled');
    await topUp(made.leaver, twd(9000));
    await pay(made.leaver, await billOf(made.leaver));
    expect(await stateOf(made.leaver)).toBe('canceled');
    await days('2024-12-01', '2024-12-05');
    expect((await steps(made.granted)).slice(-2)).toEqual(['1 12-02 reminder -3', '1 12-05 reminder 0']);
  });

  it('the preview matches what then happened', async () => {
    const happened = await sql<{
      line: string;
    }>`select concat_ws(' ', b.number, s.action, (s.taken_at at time zone o.time_zone)::date) as line from dunning_step s join bill b on b.id = s.bill_id join organization o on o.id = b.organization_id
      where not s.is_skipped and s.round = 0 order by 1`.execute(db());
    expect(rehearsal.steps.map((step) => `${step.number} ${step.action} ${step.on}`).toSorted()).toEqual(
      happened.rows.map((row) => row.line),
    );
    expect(rehearsal.counts).toMatchObject({ organizations: 9, pastDue: 9, suspended: 9, reminders: 36 });
  });

  it('days are those of the organization’s time zone, across the end of its daylight saving time', async () => {
    const { rows } = await sql<{
      step: string;
      at: Date;
    }>`select step, taken_at as at from dunning_step s join bill b on b.id = s.bill_id where b.organization_id = ${made.york.organizationId} order by s.day`.execute(
      db(),
    );
    // Due at 03:00 UTC on the 4th, which is the evening of the 3rd there, the day on which daylight saving
    // time ends.
    expect(
      rows.map((row) => [row.step, dayOf(row.at, 'America/New_York'), row.at.toISOString().slice(5, 16)]),
    ).toEqual([
      ['reminder -3', '2024-10-31', '10-31T16:02'],
      ['reminder 0', '2024-11-03', '11-03T16:02'],
      ['reminder 3', '2024-11-06', '11-06T16:02'],
      ['reminder 7', '2024-11-10', '11-10T16:02'],
      ['past_due', '2024-11-13', '11-13T16:02'],
      ['suspend', '2024-11-17', '11-17T16:02'],
    ]);
  });

  it('November’s bill charges only the days of service', async () => {
    await moveTo('2024-12-05T03:00:00Z');
    await close(november);
    const fee = async (one: Customer) =>
      (await billOf(one, november)).lines
        .filter((line) => line.kind === 'base_fee' || line.kind === 'credit')
        .map((line) => line.total.minor);
    // Suspended from the 18th, resumed on the 21st: 27 of 30 days.
    expect(await fee(made.whole)).toEqual([2700n]);
    expect(await fee(made.exempt)).toEqual([3000n]);
    expect(
      (await billOf(made.whole, november)).lines
        .filter((line) => line.kind === 'usage')
        .map((line) => line.total.minor),
    ).toEqual([47n]);
    await expectSoundBooks();
  });
});

describe('dunning that is switched off and on again', () => {
  it('counts overdue days from then: nobody is suspended within the hour', async () => {
    await moveTo('2025-01-19T22:00:00Z');
    await at.console.ok(dunning.endExemption, { organizationId: made.exempt.organizationId }, asAdmin());
    const rehearsal = await switchOn();
    await look();
    await days('2025-01-21', '2025-02-03');
    for (const one of [made.exempt, made.small])
      expect(new Set(await steps(one))).toEqual(
        new Set([
          '0 01-20 -reminder -3',
          '0 01-20 reminder 0',
          '0 01-23 reminder 3',
          '0 01-27 reminder 7',
          '0 01-30 past_due',
          '0 02-03 suspend',
        ]),
      );
    const { rows } = await sql<{
      line: string;
    }>`select concat_ws(' ', b.number, s.action, (s.taken_at at time zone o.time_zone)::date) as line from dunning_step s join bill b on b.id = s.bill_id join organization o on o.id = b.organization_id
      where not s.is_skipped and s.taken_at >= '2025-01-19T22:00:00Z' order by 1`.execute(db());
    expect(
      rehearsal.steps
        .filter(
          (step) =>
            step.on <= '2025-02-03' &&
            (step.on < '2025-02-03' || step.organizationId !== made.york.organizationId),
        )
        .map((step) => `${step.number} ${step.action} ${step.on}`)
        .toSorted(),
    ).toEqual(rows.map((row) => row.line));
  });

  it('needs a preview for changed steps, which apply to steps not taken yet', async () => {
    const other = plan({
      steps: [
        { day: 0, action: 'reminder' },
        { day: 20, action: 'past_due' },
        { day: 25, action: 'suspend' },
        { day: 30, action: 'reminder' },
      ],
    });
    expect((await at.console.call(dunning.saveDunning, { plan: other }, asAdmin())).envelope.code).toBe(
      'dunning.rehearse_first',
    );
    const { id, steps: predicted } = await at.console.ok(dunning.rehearseDunning, { plan: other }, asAdmin());
    await at.console.ok(dunning.saveDunning, { plan: other, rehearsalId: id }, asAdmin());
    await days('2025-02-04', '2025-02-19');
    expect(
      predicted
        .filter((step) => step.organizationId === made.exempt.organizationId)
        .map((step) => `${step.on} ${step.action}`),
    ).toEqual(['2025-02-19 reminder', '2025-02-19 reminder']);
    expect((await steps(made.exempt)).at(-1)).toBe('0 02-19 reminder 30');
  });

  it('when the last two overdue bills are settled concurrently, the later transaction sees the earlier one and resumes services', async () => {
    expect(await stateOf(made.rival)).toBe('suspended');
    const [one, other] = await Promise.all([billOf(made.rival), billOf(made.rival, november)]);
    const payInFull = (bill: BillDetail, meanwhile: () => Promise<void>) =>
      unitOfWork(at.console.app, { actor: { kind: 'system', name: 'test' } }, async (ctx) => {
        await addPaid(ctx, bill.id, bill.due.minor);
        await meanwhile();
      });
    let later: Promise<void> | undefined;
    await payInFull(one, async () => {
      later = payInFull(other, async () => {});
      // Waits until the other transaction waits for this one, or has ended without seeing it.
      const waits = async (): Promise<void> => {
        const { rows } =
          await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
            db(),
          );
        if (rows.length === 0) await waits();
      };
      await Promise.race([later, waits()]);
    });
    await later;
    expect(await stateOf(made.rival)).toBe('active');
    expect(await standing(made.rival)).toEqual({ level: null, since: null, payer: null, bills: [] });
  });

  it('lists each organization with its last and next step, with a search', async () => {
    const page = await at.console.ok(dunning.listDunned, { q: 'C8', level: 'suspended' }, asAdmin());
    expect(page.items[0]).toMatchObject({
      organization: 'C8',
      level: 'suspended',
      last: { action: 'reminder' },
      next: null,
    });
    expect((await at.console.ok(dunning.getDunning, {}, asAdmin())).held.suspended).toBeGreaterThan(2);
  });
});
