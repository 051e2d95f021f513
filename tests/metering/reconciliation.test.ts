// Reconciliation on a real database, with a simulated OpenStack that responds as in its API references:
// unbilled machines and ghosts, in money to the last cent, and what Admins do about them.
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { money } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import { lockUntilEnd, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { connectors, type Mapping } from '#features/metering/connectors/contract.ts';
import { giveResource } from '#features/metering/connectors/server/index.ts';
import { reconciliation, type Finding } from '#features/metering/reconciliation/contract.ts';
import { drainJob, runFeatureJob } from '../support/jobs.ts';
import {
  cloudBegin,
  cloudOptions,
  credential,
  machineHours,
  startCloudConsole,
  type CloudConsole,
} from '../support/clouds/console.ts';
import { startOpenStack, type FakeOpenStack, type FakeServer } from '../support/clouds/openstack.ts';

let cloud: FakeOpenStack;
let all: CloudConsole;
const later = (hours: number): Date => new Date(Date.UTC(2024, 8, 10) + hours * 3_600_000 + 120_000);
const server = (id: string, more: Partial<FakeServer> = {}): FakeServer => ({
  id,
  name: `name of ${id}`,
  project: 'acme',
  flavor: 'm1.tiny',
  launchedAt: '2024-09-09T00:00:00.000000',
  terminatedAt: null,
  status: 'ACTIVE',
  ...more,
});
const rules = (): Mapping['rules'] => [{ field: 'project', value: 'acme', subscriptionId: all.subs[0] }];
const make = async (more: { mapping?: Mapping; options?: object } = {}): Promise<Id<'con'>> =>
  (
    await all.make({
      address: cloud.address,
      options: { ...cloudOptions, ...more.options },
      credentials: credential,
      mapping: more.mapping ?? machineHours(rules()),
    })
  ).id;
const db = () => all.console.app.database.kysely;
const token = () => ({ token: all.token });
/** Requests a run and runs it. */
async function compareNow(): Promise<void> {
  const { id } = await all.console.ok(reconciliation.startReconciliation, {}, token());
  await runFeatureJob(all.console.app, 'reconciliation', { runId: id });
  // The job was enqueued, too: its run must not read the inventory of another moment.
  await drainJob(all.console.app, 'reconciliation');
}
const findings = async (more: object = {}): Promise<Finding[]> =>
  (await all.console.ok(reconciliation.listFindings, { state: 'open', ...more }, token())).items;
const overview = () => all.console.ok(reconciliation.getReconciliation, {}, token());
const setPrice = async (connectorId: Id<'con'>, more: object = {}): Promise<void> => {
  const { settings } = await overview();
  await all.console.ok(
    reconciliation.setReconciliation,
    {
      version: settings.version,
      ghostHours: 24,
      noticeAbove: null,
      prices: [{ connectorId, itemKind: 'server', serviceId: all.serviceId }],
      ...more,
    },
    token(),
  );
};
const short = (all_: readonly Finding[]) =>
  all_.map(({ resource, kind, cause, amount }) => [resource, kind, cause, amount && String(amount.minor)]);

beforeAll(async () => {
  cloud = await startOpenStack();
  all = await startCloudConsole();
});
beforeEach(async () => {
  await all.moveTo(cloudBegin);
  await sql`delete from connector`.execute(db());
  await sql`delete from reconciliation_run`.execute(db());
  await sql`update reconciliation_setting set ghost_hours = 24, notice_minor = null, notice_currency = null`.execute(
    db(),
  );
  Object.assign(cloud, {
    servers: [server('vm-1')],
    pageSize: 1000,
    lie: undefined,
    secret: credential.secret,
  });
});

describe('unbilled machines', () => {
  it('T-RECON: a machine without a customer costs its hours of this month at the chosen price', async () => {
    cloud.servers = [
      server('vm-1'),
      // 34.5 hours until half past ten in the morning of the 10th.
      server('vm-2', { project: 'nobody' }),
      // Created before the month began in Taiwan: 216 hours, 30 minutes and 2 minutes.
      server('vm-3', { project: 'nobody', launchedAt: '2024-08-01T00:00:00' }),
    ];
    const id = await make();
    await setPrice(id);
    await all.moveTo(later(10.5));
    await compareNow();
    expect(short(await findings())).toEqual([
      // From 2024-08-31T16:00Z: 9 days, 18 hours, 32 minutes: 234.5333… h × 3.
      ['vm-3', 'unbilled', 'unmapped', '704'],
      // 34 h 32 min × 3 = 103.6.
      ['vm-2', 'unbilled', 'unmapped', '104'],
    ]);
    const { totals, counts, run, sources } = await overview();
    expect(totals).toEqual([{ kind: 'unbilled', amount: money(808n, 'TWD') }]);
    expect(counts).toEqual({ unbilled: 2, ghost: 0, differs: 0, ignored: 0 });
    expect(run).toMatchObject({ state: 'done', unbilled: 2, totals: [{ kind: 'unbilled' }] });
    expect(sources).toMatchObject([{ connectorId: id, items: 3, failure: null }]);
  });

  it('T-RECON: are found even without a price; deleted ones are priced by their own service', async () => {
    const { id: own } = await all.console.ok(
      subscriptions.adminSubscribe,
      {
        organizationId: all.organizations[1],
        serviceId: await otherService('7'),
        startedAt: new Date('2024-09-01T00:00:00Z'),
      },
      token(),
    );
    cloud.servers = [server('vm-1', { project: 'nobody' }), server('vm-2', { project: 'other' })];
    await make({ mapping: machineHours([{ field: 'project', value: 'other', subscriptionId: own }]) });
    await sql`update subscription set state = 'canceled', ends_at = ${new Date('2024-09-09T00:00:00Z')} where id = ${own}`.execute(
      db(),
    );
    await all.moveTo(later(0.5));
    await compareNow();
    // 24 h 32 min × 7 = 171.73.
    expect(short(await findings())).toEqual([
      ['vm-2', 'unbilled', 'ended', '172'],
      ['vm-1', 'unbilled', 'unmapped', null],
    ]);
  });

  it('T-RECON: waiting readings are unbilled, and their cost is added to a subscription that continues', async () => {
    const id = await make({ mapping: machineHours(rules(), '$number("x") ') });
    await all.moveTo(later(1));
    await all.run();
    await compareNow();
    expect(short(await findings())).toEqual([['vm-1', 'unbilled', 'waiting', null]]);
    const { version } = await all.get(id);
    await all.console.ok(
      connectors.updateConnector,
      { connectorId: id, version, mapping: machineHours(rules()) },
      token(),
    );
    await all.run();
    await compareNow();
    expect(await findings()).toEqual([]);
  });

  it('T-RECON: of rejected readings only those are unbilled that the subscription does not pay for', async () => {
    const { id: sub } = await all.console.ok(
      subscriptions.adminSubscribe,
      {
        organizationId: all.organizations[1],
        serviceId: await otherService('11', '500'),
        startedAt: new Date('2024-09-10T00:30:00Z'),
      },
      token(),
    );
    cloud.servers = [server('vm-1')];
    const id = await make({
      mapping: machineHours([{ field: 'project', value: 'acme', subscriptionId: sub }]),
    });
    await all.console.ok(
      connectors.backfillConnector,
      { connectorId: id, from: new Date('2024-09-09T20:00:00Z') },
      token(),
    );
    await all.moveTo(later(2));
    await all.run();
    await compareNow();
    // The four hours before it began wait, at 11 each; its fee is paid anyway.
    expect(short(await findings())).toEqual([['vm-1', 'unbilled', 'waiting', '44']]);
  });

  it('T-RECON: can be subscribed in one call, which removes them from the list and counts waiting readings; the next run finds nothing', async () => {
    cloud.servers = [server('vm-9', { project: 'nobody', launchedAt: '2024-09-10T00:30:00' })];
    const id = await make();
    await all.moveTo(later(2));
    await all.run();
    await setPrice(id);
    await compareNow();
    const [finding] = await findings();
    expect(finding).toMatchObject({ resource: 'vm-9', project: 'nobody', size: 'm1.tiny', suggested: null });
    const serviceId = await otherService('5');
    const made = await all.console.ok(
      reconciliation.subscribeFinding,
      {
        findingId: finding!.id,
        to: {
          kind: 'new',
          organizationId: all.organizations[1],
          serviceId,
          startedAt: new Date('2024-09-10T00:00:00Z'),
        },
      },
      token(),
    );
    expect(await findings()).toEqual([]);
    await all.run();
    expect(await all.counted(id)).toEqual({ [made.subscriptionId]: '1.5' });
    await compareNow();
    expect(await findings()).toEqual([]);
    // Another machine of the project is suggested to the same customer.
    cloud.servers = [...cloud.servers, server('vm-10', { project: 'nobody' })];
    await compareNow();
    expect((await findings())[0]).toMatchObject({
      resource: 'vm-10',
      suggested: { id: all.organizations[1] },
    });
    const [next] = await findings();
    await all.console.ok(
      reconciliation.subscribeFinding,
      { findingId: next!.id, to: { kind: 'existing', subscriptionId: made.subscriptionId } },
      token(),
    );
    await all.moveTo(later(3));
    await all.run();
    expect(Number((await all.counted(id))[made.subscriptionId])).toBeGreaterThan(1.5);
  });
});

/** A service of machine hours at a price, optionally with a fee. */
async function otherService(unitPrice: string, baseFee?: string): Promise<Id<'svc'>> {
  const { id } = await all.console.ok(
    catalogue.createService,
    {
      name: `Machines at ${unitPrice} ${baseFee ?? ''}${Math.random()}`,
      type: 'VM',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice, ...(baseFee && { baseFee }) },
      meter: { eventType: 'vm', aggregation: 'sum', unit: 'hours' },
    },
    token(),
  );
  return id;
}

describe('ghosts', () => {
  const subscribed = async (serviceId: Id<'svc'>): Promise<Id<'sub'>> =>
    (
      await all.console.ok(
        subscriptions.adminSubscribe,
        { organizationId: all.organizations[0], serviceId, startedAt: new Date('2024-09-01T00:00:00Z') },
        token(),
      )
    ).id;

  it('T-RECON: a fee for a deleted machine is found with its monthly cost, and can be ended', async () => {
    const sub = await subscribed(await otherService('1', '600'));
    await make({ mapping: machineHours([{ field: 'project', value: 'acme', subscriptionId: sub }]) });
    await all.moveTo(later(1));
    await all.run();
    await compareNow();
    expect(await findings()).toEqual([]);
    cloud.servers = [server('vm-1', { terminatedAt: '2024-09-10T01:30:00' })];
    await all.moveTo(later(2));
    await all.run();
    await compareNow();
    const [ghost] = await findings();
    expect(short([ghost!])).toEqual([['vm-1', 'ghost', 'fee', '600']]);
    expect(ghost).toMatchObject({ name: 'name of vm-1', subscription: { id: sub } });
    await all.console.ok(reconciliation.endFinding, { findingId: ghost!.id, when: 'now' }, token());
    await compareNow();
    expect(await findings()).toEqual([]);
    const { items } = await all.console.ok(
      subscriptions.adminListSubscriptions,
      { organizationId: all.organizations[0], state: 'canceled' },
      token(),
    );
    expect(items.map(({ id }) => id)).toContain(sub);
  });

  it('T-RECON: usage of a missing machine is a ghost, with its last window scaled to a month; the window of its deletion is not', async () => {
    const mapping = machineHours(rules());
    await make({ mapping });
    await all.moveTo(later(1));
    await all.run();
    // Nova’s usage still has it, its list of servers does not.
    cloud.lie = ({ url }) =>
      url.pathname.endsWith('/servers/detail') ? { body: { servers: [] } } : undefined;
    await compareNow();
    expect(await findings()).toEqual([]);
    await all.moveTo(later(2));
    await all.run();
    await compareNow();
    expect(await findings()).toEqual([]);
    await all.moveTo(later(3));
    await all.run();
    await compareNow();
    // 720 hours of September × 3.
    expect(short(await findings())).toEqual([['vm-1', 'ghost', 'usage', '2160']]);
  });

  it('T-RECON: a failing source creates no ghosts; its findings stay, and the failure is shown', async () => {
    const sub = await subscribed(await otherService('1', '900'));
    cloud.servers = [server('vm-1'), server('vm-2', { project: 'nobody' })];
    const id = await make({
      mapping: machineHours([{ field: 'project', value: 'acme', subscriptionId: sub }]),
    });
    await all.moveTo(later(1));
    await all.run();
    await compareNow();
    expect(short(await findings())).toEqual([['vm-2', 'unbilled', 'unmapped', null]]);
    const { readAt } = (await overview()).sources[0]!;
    await all.moveTo(later(2));
    cloud.secret = 'revoked';
    await compareNow();
    expect(short(await findings())).toEqual([['vm-2', 'unbilled', 'unmapped', null]]);
    expect((await overview()).sources).toEqual([
      {
        connectorId: id,
        name: 'Cloud',
        items: 2,
        readAt,
        failure: { code: 'refused_credentials', detail: '401' },
      },
    ]);
    expect((await overview()).run?.sources).toMatchObject([{ failure: { code: 'refused_credentials' } }]);
    // An incomplete list is also a failure.
    cloud.secret = credential.secret;
    cloud.pageSize = 1;
    let pages = 0;
    cloud.lie = ({ url }) =>
      url.pathname.endsWith('/servers/detail') && pages++ > 0 ? { status: 500, body: {} } : undefined;
    await compareNow();
    expect(short(await findings())).toEqual([['vm-2', 'unbilled', 'unmapped', null]]);
  });
});

describe('differences and decisions', () => {
  it('T-RECON: another size is found with its additional monthly cost; the next window corrects it', async () => {
    await make({ mapping: machineHours(rules(), 'vcpus * $number(seconds)') });
    await all.moveTo(later(1));
    await all.run();
    cloud.servers = [server('vm-1', { flavor: 'm1.large' })];
    await compareNow();
    const [found] = await findings();
    // 3 cores more × 720 h × 3.
    expect(short([found!])).toEqual([['vm-1', 'differs', 'size', '6480']]);
    expect(found).toMatchObject({ size: 'm1.large', billedSize: 'm1.tiny' });
    await all.moveTo(later(2));
    await all.run();
    await compareNow();
    expect(await findings()).toEqual([]);
  });

  it('T-RECON: ignored findings are excluded from lists and totals until that is undone; who ignored them and why is kept', async () => {
    cloud.servers = [server('vm-1', { project: 'nobody' })];
    const id = await make();
    await setPrice(id);
    await compareNow();
    const [finding] = await findings();
    await all.console.ok(
      reconciliation.ignoreFinding,
      { findingId: finding!.id, reason: 'Our own machine' },
      token(),
    );
    await compareNow();
    expect(await findings()).toEqual([]);
    expect((await overview()).totals).toEqual([]);
    expect((await overview()).counts).toMatchObject({ unbilled: 0, ignored: 1 });
    expect(await findings({ state: 'ignored' })).toMatchObject([
      { id: finding!.id, ignored: { reason: 'Our own machine' } },
    ]);
    await all.console.ok(reconciliation.heedFinding, { findingId: finding!.id }, token());
    expect(await findings()).toHaveLength(1);
    const { items } = await all.console.ok(reconciliation.listIgnored, {}, token());
    expect(items).toMatchObject([{ resource: 'vm-1', reason: 'Our own machine' }]);
    expect(items[0]?.undoneAt).not.toBeNull();
    expect(items[0]?.ignoredBy).not.toBe('');
  });

  it('T-RECON: a decision made while a run computes its values is not overwritten by it', async () => {
    cloud.servers = [server('vm-2', { project: 'nobody' }), server('vm-3', { project: 'nobody' })];
    const id = await make();
    await setPrice(id);
    await all.moveTo(later(3));
    await compareNow();
    expect((await findings()).map(({ resource }) => resource).toSorted()).toEqual(['vm-2', 'vm-3']);
    const { app } = all.console;
    const by = { actor: { kind: 'system', name: 'test' } } as const;
    let second: Promise<void> | undefined;
    await unitOfWork(app, by, async (ctx) => {
      await lockUntilEnd(ctx, `reconciliation ${id}`);
      second = compareNow();
      // The run has made its plan and waits to record it.
      await vi.waitFor(async () => {
        // Locks are listed for the whole server, which other test files use, too.
        const { rows } =
          await sql`select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`.execute(
            app.database.kysely,
          );
        // The queue’s own attempt at the same run may wait as well.
        expect(rows).not.toHaveLength(0);
      }, 20_000);
      await giveResource(ctx, id, 'vm-2', { project: 'nobody' }, all.subs[0]);
    });
    await second;
    expect((await findings()).map(({ resource }) => resource)).toEqual(['vm-3']);
  });

  it('T-RECON: two connectors to one cloud bill one machine together', async () => {
    cloud.servers = [server('vm-1')];
    await make();
    await make({ mapping: machineHours([]) });
    await all.moveTo(later(1));
    await all.run();
    await compareNow();
    // The readings of the second have no customer; the first one bills the machine.
    expect((await findings()).filter(({ cause }) => cause === 'unmapped')).toEqual([]);
  });

  it('T-RECON: Admins are notified once when unbilled costs rise above the limit; figures are in /metrics', async () => {
    cloud.servers = [server('vm-1', { project: 'nobody' })];
    const id = await make();
    await setPrice(id, { noticeAbove: money(70n, 'TWD') });
    const notified = async (): Promise<number> => {
      const { rows } = await sql`select from notification where kind = 'system.unbilled'`.execute(db());
      return rows.length;
    };
    // 24.5 h × 3 = 73.5.
    await compareNow();
    expect(await notified()).toBe(1);
    await compareNow();
    expect(await notified()).toBe(1);
    const text = await (await fetch(`${all.console.address}/metrics`)).text();
    expect(text).toContain('reconciliation_amount{kind="unbilled",currency="TWD"} 74');
    expect(text).toContain('reconciliation_findings{kind="unbilled"} 1');
    expect(text).toContain(`reconciliation_source_failing{connector="${id}",name="Cloud"} 0`);
  });

  it('T-RECON: totals are per currency, and a repeated run gives the same result', async () => {
    const { id: usd } = await all.console.ok(
      catalogue.createService,
      {
        name: 'Volumes',
        type: 'Disk',
        category: 'Own',
        pricing: { model: 'per_unit', currency: 'USD', unitPrice: '0.01' },
        meter: { eventType: 'vm', aggregation: 'sum', unit: 'hours' },
      },
      token(),
    );
    cloud.servers = [server('vm-1', { project: 'nobody' })];
    cloud.volumes = [
      { id: 'vol-1', name: '', project: 'nobody', size: 10, createdAt: '2024-09-09T00:30:00.000000' },
    ];
    const id = await make({ options: { inventory: ['server', 'volume'] } });
    await setPrice(id, {
      prices: [
        { connectorId: id, itemKind: 'server', serviceId: all.serviceId },
        { connectorId: id, itemKind: 'volume', serviceId: usd },
      ],
    });
    const { id: runId } = await all.console.ok(reconciliation.startReconciliation, {}, token());
    const expected = [
      { kind: 'unbilled', amount: money(74n, 'TWD') },
      { kind: 'unbilled', amount: money(24n, 'USD') },
    ];
    for (let round = 0; round < 2; round++) {
      await runFeatureJob(all.console.app, 'reconciliation', { runId });
      expect((await overview()).totals).toEqual(expected);
      await sql`update reconciliation_run set state = 'running' where id = ${runId}`.execute(db());
    }
    await runFeatureJob(all.console.app, 'reconciliation', { runId });
    const { items } = await all.console.ok(reconciliation.listReconciliations, {}, token());
    expect(items.find((each) => each.id === runId)?.totals).toEqual(expected);
  });

  it.each([
    ['prices.0.connectorId', { prices: [{ connectorId: `con_${'0'.repeat(26)}`, itemKind: 'server' }] }],
    ['noticeAbove', { noticeAbove: money(0n, 'TWD'), prices: [] }],
  ])('T-RECON: an invalid %s is rejected at its field, in both languages', async (field, more) => {
    await make();
    const { settings } = await overview();
    for (const language of ['zhTW', 'enUS'] as const) {
      const refused = await all.console.call(
        reconciliation.setReconciliation,
        {
          version: settings.version,
          ghostHours: 24,
          noticeAbove: null,
          ...more,
          prices: more.prices.map((each) => ({ serviceId: all.serviceId, ...each })),
        } as never,
        { ...token(), language },
      );
      expect(refused).toMatchObject({ status: 400, envelope: { errors: [{ field }] } });
      expect(refused.envelope.errors?.[0]?.message).not.toMatch(/reconciliation\.|\{\{/);
    }
  });
});
