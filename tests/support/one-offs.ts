// A console for tests of one-off charges: two Admins, two organizations with a subscription each, and the
// calls.
import { beforeAll, expect } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { required } from '#kernel/assert.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { identity } from '#features/access/identity/contract.ts';
import { oneOffs, type OneOffDetail } from '#features/invoicing/one-offs/contract.ts';
import { oneOffsOf } from '#features/invoicing/one-offs/server/index.ts';
import type { OneOffInForce } from '#features/invoicing/one-offs/rules.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from './console.ts';

export let console: TestConsole;
/** The second Admin approves what the first one creates. */
export let maker: string;
export let approver: string;
export type Customer = {
  readonly token: string;
  readonly organizationId: Id<'org'>;
  readonly subscriptionId: Id<'sub'>;
};
export let one: Customer & { readonly reader: string };
export let two: Customer;
let count = 0;

export const october = '2026-10' as BillingMonth;
/** The id of a bill as billing would create it. */
export const bil = (last: number) => `bil_${String(last).padStart(26, '0')}` as Id<'bil'>;
export const twd = (minor: bigint): Money => money(minor, 'TWD');
export const system = <T>(run: (ctx: Ctx) => Promise<T>): Promise<T> =>
  unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, run);

/** Creates a charge of NT$1,000 for the first organization; `more` overrides fields. */
export const make = (more: object = {}, token = maker) =>
  console.call(
    oneOffs.createOneOff,
    {
      organizationId: one.organizationId,
      name: { zhTW: `設定費 ${++count}`, enUS: `Set-up fee ${count}` },
      kind: 'charge',
      unitPrice: '1000',
      currency: 'TWD',
      ...more,
    },
    { token },
  );
export async function made(more: object = {}): Promise<OneOffDetail> {
  const answer = await make(more);
  expect(answer.envelope.message).toBe('Success');
  return answer.data;
}
export const setThreshold = (amount: bigint | null, currency: Currency = 'TWD') =>
  console.ok(
    oneOffs.saveOneOffSettings,
    { approvalAbove: amount === null ? null : money(amount, currency) },
    { token: maker },
  );
export const approve = (oneOffId: Id<'ooc'>, token = approver) =>
  console.call(oneOffs.approveOneOff, { oneOffId }, { token });
export const reject = (oneOffId: Id<'ooc'>, token = approver) =>
  console.call(oneOffs.rejectOneOff, { oneOffId, reason: 'wrong customer' }, { token });
export const withdraw = (oneOffId: Id<'ooc'>, token = maker) =>
  console.call(oneOffs.withdrawOneOff, { oneOffId }, { token });
export const get = (oneOffId: Id<'ooc'>): Promise<OneOffDetail> =>
  console.ok(oneOffs.getOneOff, { oneOffId }, { token: maker });
/** The charges that a month's bill of an organization includes. */
export const due = async (
  month: BillingMonth = october,
  without?: Id<'bil'>,
  organizationId = one.organizationId,
): Promise<readonly OneOffInForce[]> =>
  (await system((ctx) => oneOffsOf(ctx, [organizationId], month, without))).get(organizationId) ?? [];
export const dueOne = async (id: Id<'ooc'>): Promise<OneOffInForce> =>
  required(
    (await due()).find((each) => each.id === id),
    'the due one-off',
  );
/** Field errors as `field: code`; else the code. */
export const fails = async (
  call: Promise<{ envelope: { code?: string; errors?: readonly { field: string; code: string }[] } }>,
): Promise<string | undefined> => {
  const { envelope } = await call;
  return envelope.errors?.map((each) => `${each.field}: ${each.code}`).join() ?? envelope.code;
};
/** The English billing notifications of the maker and the approver, oldest first. */
export async function told(): Promise<{ maker: string[]; approver: string[] }> {
  const of = async (token: string) =>
    (await console.ok(notifications.listNotifications, { limit: 200, category: 'billing' }, { token })).items
      .map((item) => item.message)
      .toReversed();
  return { maker: await of(maker), approver: await of(approver) };
}

/** Moves the clock; sessions expire meanwhile, so all users sign in again. */
export async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  maker = await signIn(console, adminAccount.account, adminAccount.password);
  approver = await signIn(console, 'second@cloud.example');
  one = {
    ...one,
    token: await signIn(console, 'owner@one.example'),
    reader: await signIn(console, 'reader@one.example'),
  };
  two = { ...two, token: await signIn(console, 'owner@two.example') };
}

/** Starts the console for the calling test file. Call it at the top of the file. */
export function startOneOffConsole(): void {
  beforeAll(async () => {
    count = 0;
    console = await createTestConsole(new Date('2026-10-05T04:00:00Z'));
    maker = await setUp(console);
    await console.ok(
      identity.createUser,
      { account: 'second@cloud.example', name: 'Second', role: 'Admin', password: userPassword },
      { token: maker },
    );
    approver = await signIn(console, 'second@cloud.example');
    const { id: serviceId } = await console.ok(
      catalogue.createService,
      {
        name: 'Virtual machine',
        type: 'API',
        category: 'Platform',
        pricing: { model: 'flat', currency: 'TWD', baseFee: '0' },
        meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
      },
      { token: maker },
    );
    const customer = async (name: string): Promise<Customer> => {
      const { token, organizationId } = await registerUser(console, `owner@${name}.example`, name);
      const { id } = await console.ok(subscriptions.subscribe, { serviceId }, { token });
      return { token, organizationId: organizationId as Id<'org'>, subscriptionId: id };
    };
    const first = await customer('one');
    two = await customer('two');
    await console.ok(
      identity.createUser,
      {
        account: 'reader@one.example',
        name: 'Reader',
        role: 'ReadOnly',
        organizationId: first.organizationId,
        password: userPassword,
      },
      { token: maker },
    );
    one = { ...first, reader: await signIn(console, 'reader@one.example') };
  });
}
