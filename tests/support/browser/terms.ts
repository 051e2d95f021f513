// Shared by journeys about commercial terms: customers of a service with a monthly fee, months that are
// closed in the browser, and the checker that verifies the books in a separate process.
import type { Locator, Page } from '@playwright/test';
import { hourMs } from '#kernel/durations.ts';
import { operator, type Credentials, type Journey } from './journey.ts';
import { expect } from './test.ts';

/** Months begin in Taipei time, the zone that {@link Journey.setUp} sets. */
const zoneMs = 8 * hourMs;
const password = 'another long passphrase';

/** An NT$ amount as the API takes it. */
export const twd = (amount: string) => ({ amount, currency: 'TWD' });
export const named = (zhTW: string, enUS: string) => ({ zhTW, enUS });

/** A service with two monthly fees, so that a term can apply to one of them. */
export const machineOfTwoCharges = {
  name: '主機',
  type: '運算',
  category: '自有服務',
  currency: 'TWD',
  charges: [
    { key: 'cpu', name: named('處理器', 'CPU'), kind: 'recurring', model: 'flat', amount: '200' },
    { key: 'disk', name: named('磁碟', 'Disk'), kind: 'recurring', model: 'flat', amount: '100' },
  ],
};

/** The first moment of a month in Taipei, relative to the current month. */
export function monthBegin(months: number): Date {
  const now = new Date(Date.now() + zoneMs);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1) - zoneMs);
}
/** Noon on a day of that month. */
export const noonOf = (months: number, day: number): Date =>
  new Date(monthBegin(months).getTime() + (day * 24 - 12) * hourMs);
/** The month as in URLs and the API: `2026-10`. */
export const monthName = (months: number): string =>
  new Date(monthBegin(months).getTime() + zoneMs).toISOString().slice(0, 7);

export type Customer = Credentials & { readonly organization: string; readonly organizationId: string };

export type Terms = {
  readonly journey: Journey;
  /** The operator's page. */
  readonly page: Page;
  /** The service with a fee of NT$10,000 a month. */
  readonly serviceId: string;
  /** Calls the API as the operator, and returns the envelope's data. */
  readonly call: <T = unknown>(method: string, path: string, body?: unknown) => Promise<T>;
  /** Calls the API as a customer. */
  readonly callAs: <T = unknown>(who: Customer, method: string, path: string, body?: unknown) => Promise<T>;
  /**
   * Registers a person with an organization; with `since`, relative to the current month, it subscribes to
   * the service from the beginning of that month.
   */
  readonly customer: (organization: string, account: string, since?: number) => Promise<Customer>;
  /** Buys prepaid balance for an organization. */
  readonly topUp: (who: Customer, amount: string) => Promise<void>;
  /** Closes a month on its screen, and checks that no bills existed before and how many were issued. */
  readonly closeMonth: (month: string, issued: number) => Promise<void>;
  /** Opens the customer's page of a month's bills; the current month by default. */
  readonly openBills: (own: Page, month?: string) => Promise<void>;
  /** Opens the operator's panel for correcting an organization's bill of a month. */
  readonly openBill: (who: Customer, month: string) => Promise<Locator>;
  /** Opens the explanation of a line, the nth with its name. */
  readonly why: (own: Page, line: string, nth?: number) => Promise<Locator>;
  /** Runs the checker on all books, and expects no findings. */
  readonly checkBooks: () => Promise<void>;
  /**
   * Moves the console's clock to noon of a day (default: the second) in another month, and signs the operator
   * in again. Only for consoles in development mode.
   */
  readonly moveToMonth: (months: number, day?: number) => Promise<void>;
};

/** The environment of a console whose clock can be moved. */
export const withMovableClock = { NODE_ENV: 'development' } as const;

/** Sets up a console for a journey about terms. */
export async function startTerms(journey: Journey): Promise<Terms> {
  let token = await journey.setUp();
  const call: Terms['call'] = (method, path, body) => journey.call(method, path, body, token);
  const callAs: Terms['callAs'] = async (who, method, path, body) => {
    const { token: own } = await journey.call<{ token: string }>('POST', '/user/login', credentials(who));
    return journey.call(method, path, body, own);
  };
  const { id: serviceId } = await call<{ id: string }>('POST', '/admin/services', {
    name: '主機',
    type: '運算',
    category: '自有',
    currency: 'TWD',
    charges: [{ key: 'fee', name: named('月費', 'Fee'), kind: 'recurring', model: 'flat', amount: '10000' }],
  });
  const page = await journey.openSession(operator);
  return {
    journey,
    page,
    serviceId,
    call,
    callAs,
    customer: async (organization, account, since) => {
      const user = await journey.register({
        account: `first.${account}`,
        password,
        name: '負責人',
        organization,
      });
      const { organizationId } = user;
      // In development mode, people who register must confirm their e-mail address first; users created by an
      // Admin need not.
      await call('POST', '/admin/users', { account, name: '採購', role: 'User', organizationId, password });
      if (since !== undefined)
        await call('POST', '/admin/subscriptions', {
          organizationId,
          serviceId,
          startedAt: monthBegin(since).toISOString(),
        });
      return { account, password, organization, organizationId };
    },
    topUp: async (who, amount) => {
      const { id } = await callAs<{ id: string }>(who, 'POST', '/billing/top-ups', { amount: twd(amount) });
      await call('POST', `/admin/payments/${id}/confirm`, {});
    },
    closeMonth: async (month, issued) => {
      await page.goto(`${journey.address}/admin/billing?month=${month}`);
      await page.getByRole('button', { name: /^結清/ }).first().click();
      await page.getByRole('alertdialog').getByRole('button', { name: /結清/ }).click();
      await page.getByText(`新開立 ${issued} 張、先前已開立 0 張、擱置 0 個組織。`).first().waitFor();
    },
    openBills: async (own, month) => {
      await own.goto(`${journey.address}/billing/management${month === undefined ? '' : `?month=${month}`}`);
    },
    openBill: async ({ organizationId }, month) => {
      const { items } = await call<{ items: { id: string; state: string; kind: string }[] }>(
        'GET',
        `/admin/bills?month=${month}&organizationId=${organizationId}&sort=-number`,
      );
      const standing = items.find(({ state, kind }) => state !== 'void' && kind === 'month') ?? items[0];
      await page.goto(`${journey.address}/admin/billing?bill=${standing?.id}`);
      return page.getByRole('group', { name: '更正帳單' });
    },
    why: async (own, line, nth = 0) => {
      await own
        .getByRole('button', { name: `${line}：查看計算方式` })
        .nth(nth)
        .click();
      return own.getByRole('dialog');
    },
    checkBooks: async () => {
      await page.goto(`${journey.address}/admin/ledger`);
      await page.getByRole('tab', { name: '查核' }).click();
      // The page may still show an earlier run with the same text, so this run is identified by its id.
      const answer = page.waitForResponse(
        (response) =>
          response.request().method() === 'POST' &&
          new URL(response.url()).pathname.endsWith('/admin/ledger/checks'),
      );
      await page.getByRole('button', { name: '查核帳務' }).click();
      const { data: begun } = (await (await answer).json()) as { data: { id: string } };
      // It starts a process that reads all books.
      const run = async () =>
        (
          await call<{ items: { id: string; state: string; finishedAt: string | null }[] }>(
            'GET',
            '/admin/ledger/checks',
          )
        ).items.find(({ id }) => id === begun.id);
      await expect.poll(async () => (await run())?.finishedAt ?? null, { timeout: 60_000 }).not.toBeNull();
      expect(await run()).toMatchObject({ state: 'passed' });
      await page.getByText('帳務全部正確。').waitFor();
    },
    moveToMonth: async (months, day = 2) => {
      const moment = noonOf(months, day);
      await journey.call('POST', '/debug/clock', { now: moment.toISOString() });
      // By then the browser's session has expired, and so has the token.
      ({ token } = await journey.call<{ token: string }>('POST', '/user/login', operator));
      await page.clock.setSystemTime(moment);
      await journey.openSession(operator, page);
    },
  };
}

const credentials = ({ account, password: secret }: Credentials): Credentials => ({
  account,
  password: secret,
});

/** The row of a bill's line or total, by its name. */
export const billRow = (own: Page, name: RegExp): Locator => own.getByRole('row', { name });

/**
 * Credits part of a bill on its panel, by net amounts of lines or by a percentage. `total` is the expected
 * amount on the button; `look` may inspect what the dialog says will be booked.
 */
export async function creditBill(
  page: Page,
  corrections: Locator,
  how: { readonly lines: Readonly<Record<string, string>> } | { readonly percent: string },
  reason: string,
  total: string,
  look?: (dialog: Locator) => Promise<void>,
): Promise<void> {
  await corrections.getByRole('button', { name: '開立折讓單' }).click();
  const dialog = page.getByRole('dialog', { name: /^折讓帳單/ });
  if ('percent' in how) {
    await dialog.getByRole('combobox', { name: '折讓方式' }).selectOption('percent');
    await dialog.getByRole('textbox', { name: /百分比|比例/ }).fill(how.percent);
  } else {
    await dialog.getByRole('combobox', { name: '折讓方式' }).selectOption('lines');
    for (const [line, net] of Object.entries(how.lines))
      await dialog
        .getByRole('row', { name: new RegExp(`^${line}`) })
        .getByRole('textbox')
        .fill(net);
  }
  await look?.(dialog);
  await dialog.getByLabel(/^原因/).fill(reason);
  await dialog.getByRole('button', { name: `開立 ${total} 的折讓單` }).click();
  await expect(page.getByRole('list', { name: '折讓單' })).toContainText(reason);
}

/** Voids a bill on its panel; `look` may inspect what the dialog says will happen. */
export async function voidBill(
  page: Page,
  corrections: Locator,
  reason: string,
  look?: (dialog: Locator) => Promise<void>,
): Promise<void> {
  await corrections.getByRole('button', { name: '作廢' }).click();
  const dialog = page.getByRole('dialog', { name: /^作廢帳單/ });
  await look?.(dialog);
  await dialog.getByLabel(/^原因/).fill(reason);
  await dialog.getByRole('button', { name: /^作廢/ }).click();
  await page.getByText(new RegExp(`此帳單已於.*作廢：${reason}`)).waitFor();
}

/** Reissues a voided bill on its panel. */
export async function reissueBill(page: Page, corrections: Locator): Promise<void> {
  await corrections.getByRole('button', { name: '重新開立' }).click();
  const dialog = page.getByRole('dialog', { name: /^重新開立帳單/ });
  await dialog.getByRole('button', { name: /重新開立/ }).click();
  await page.getByText(/^取代已作廢的帳單/).waitFor();
}
