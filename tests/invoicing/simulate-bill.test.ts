// A simulated bill is computed for Admins only, and equals a real one with the same lines.
import { beforeAll, describe, expect, it } from 'vitest';
import { moneyText } from '#kernel/money.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import {
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';

let console: TestConsole;
let admin: string;
let user: Awaited<ReturnType<typeof registerUser>>;

const request = {
  currency: 'TWD',
  taxRate: '5',
  lines: [
    { amount: '1000.5', kind: 'fee' },
    { amount: '333', kind: 'usage', discounts: [{ percent: '10' }] },
  ],
  discounts: [{ fixed: '100' }],
  credits: ['200', '50'],
};
const simulate = (
  body: object,
  token: string,
  language: 'zhTW' | 'enUS' = 'enUS',
): ReturnType<typeof console.call<typeof billing.simulateBill>> =>
  console.call(
    billing.simulateBill,
    { currency: 'TWD', taxRate: '0', lines: [] },
    {
      token,
      language,
      body: JSON.stringify(body),
    },
  );

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-05T00:00:00Z'));
  admin = await setUp(console);
  user = await registerUser(console, 'owner@one.example', 'One');
});

describe('simulating a bill', () => {
  it('returns all totals and lines as money', async () => {
    const { status, envelope } = await simulate(request, admin);
    expect(status).toBe(200);
    const twd = (amount: string) => ({ amount, currency: 'TWD' });
    expect(envelope.data).toEqual({
      subtotal: twd('1334'),
      discountTotal: twd('133'),
      taxTotal: twd('60'),
      creditsApplied: twd('250'),
      creditsLeft: twd('0'),
      total: twd('1011'),
      lines: [
        { amount: twd('1001'), discount: twd('77'), taxable: twd('924'), tax: twd('46'), total: twd('970') },
        { amount: twd('333'), discount: twd('56'), taxable: twd('277'), tax: twd('14'), total: twd('291') },
      ],
    });
  });

  it('is possible for Admins only', async () => {
    await console.ok(
      identity.createUser,
      {
        account: 'reader@one.example',
        name: 'Reader',
        role: 'ReadOnly',
        organizationId: user.organizationId as never,
        password: userPassword,
      },
      { token: admin },
    );
    for (const token of [user.token, await signIn(console, 'reader@one.example')])
      expect((await simulate(request, token)).status).toBe(403);
    expect((await simulate(request, 'no token')).status).toBe(401);
  });

  it('equals the running month of a subscription with the same fees', async () => {
    const fees = ['1000.5', '333'];
    for (const [index, baseFee] of fees.entries()) {
      const service = await console.ok(
        catalogue.createService,
        {
          name: `Service ${index}`,
          type: 'Storage',
          category: 'Platform',
          pricing: { model: 'flat', currency: 'TWD', baseFee },
          meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
        },
        { token: admin },
      );
      await console.ok(
        subscriptions.adminSubscribe,
        {
          organizationId: user.organizationId as never,
          serviceId: service.id,
          startedAt: new Date('2024-08-31T16:00:00Z'),
        },
        { token: admin },
      );
    }
    const current = (await console.ok(billing.currentBill, {}, { token: user.token })).bills[0];
    const simulated = await console.ok(
      billing.simulateBill,
      { currency: 'TWD', taxRate: '5', lines: fees.map((amount) => ({ amount, kind: 'fee' as const })) },
      { token: admin },
    );
    expect([simulated.subtotal, simulated.taxTotal, simulated.total].map(moneyText)).toEqual([
      '1334',
      '67',
      '1401',
    ]);
    expect([current?.net, current?.tax, current?.total]).toEqual([
      simulated.subtotal,
      simulated.taxTotal,
      simulated.total,
    ]);
  });

  it.each<[string, object, string, RegExp, RegExp]>([
    ['an unknown field', { tip: '5' }, 'tip', /no field tip/, /不認識的欄位 tip/],
    [
      'an unknown field of a line',
      { lines: [{ amount: '1', kind: 'fee', unit: 'GB' }] },
      'lines.0.unit',
      /no field/,
      /不認識/,
    ],
    [
      'an unknown field of a discount',
      { discounts: [{ percent: '1', name: 'x' }] },
      'discounts.0.name',
      /no field/,
      /不認識/,
    ],
    [
      'a number',
      { lines: [{ amount: 1.5, kind: 'fee' }] },
      'lines.0.amount',
      /lines\.0\.amount/,
      /lines\.0\.amount/,
    ],
    [
      'another kind',
      { lines: [{ amount: '1', kind: 'tip' }] },
      'lines.0.kind',
      /lines\.0\.kind/,
      /lines\.0\.kind/,
    ],
    ['an unsupported currency', { currency: 'XYZ' }, 'currency', /currency/, /currency/],
    [
      'a discount in another currency',
      { discounts: [{ fixed: '5', currency: 'USD' }] },
      'discounts.0.currency',
      /must be TWD/,
      /帳單幣別 TWD/,
    ],
    [
      'a percentage above 100',
      { discounts: [{ percent: '101' }] },
      'discounts.0.percent',
      /from 0 to 100/,
      /0 到 100/,
    ],
    ['half a dollar of credit', { credits: ['0.5'] }, 'credits.0', /TWD has 0/, /TWD 的小數位數為 0/],
    [
      'too many credits',
      { credits: Array.from({ length: 101 }, () => '1') },
      'credits',
      /at most 100/,
      /最多 100/,
    ],
    [
      'an amount above the maximum of a bill',
      { lines: [{ amount: '1000000000000000', kind: 'fee' }] },
      'lines.0.amount',
      /at most 15 digits/,
      /整數最多 15 位/,
    ],
  ])('rejects %s and names the field', async (_name, more, field, english, chinese) => {
    const { status, envelope } = await simulate({ ...request, ...more }, admin);
    expect(status).toBe(400);
    expect(envelope.errors).toMatchObject([{ field, message: expect.stringMatching(english) }]);
    expect((await simulate({ ...request, ...more }, admin, 'zhTW')).envelope.errors).toMatchObject([
      { field, message: expect.stringMatching(chinese) },
    ]);
  });
});
