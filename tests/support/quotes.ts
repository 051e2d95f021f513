// For tests of quotes: a console with services to offer, quote contents, and what happens to the quotes.
import { beforeAll } from 'vitest';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { quotes, type QuoteDetail } from '#features/invoicing/quotes/contract.ts';
import type { QuoteContent } from '#features/invoicing/quotes/contract-content.ts';
import { catalogue, type Service } from '#features/selling/catalogue/contract.ts';
import { meters } from '#features/selling/meters/contract.ts';
import { adminAccount, createTestConsole, registerUser, setUp, signIn, type TestConsole } from './console.ts';

export let console: TestConsole;
export let admin: string;
export let key: string;
/** NT$100 a month and NT$1 per GB, with a month's usage under the key `usage`. */
export let storage: Service;
/** A rate card: NT$200 a month, NT$50 per seat, tiered traffic, NT$500 once. */
export let machines: Service;

export const twd = (minor: bigint | number): Money => money(BigInt(minor), 'TWD');
export const named = (zhTW: string, enUS = zhTW) => ({ zhTW, enUS });
export const day = (text: string) => text as LocalDay;

/** Starts the console for the calling test file. */
export function startQuoteConsole(now = '2026-10-12T04:00:00Z'): void {
  beforeAll(async () => {
    console = await createTestConsole(new Date(now));
    admin = await setUp(console);
    key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
    storage = await console.ok(
      catalogue.createService,
      {
        name: 'Storage',
        type: 'Storage',
        category: 'Own',
        pricing: { model: 'per_unit', currency: 'TWD', baseFee: '100', unitPrice: '1' },
        meter: { eventType: 'stored', aggregation: 'sum', unit: 'GB' },
      },
      { token: admin },
    );
    await console.ok(
      meters.createMeter,
      { key: 'traffic', name: 'Traffic', eventType: 'traffic', aggregation: 'sum', unit: 'TB' },
      { token: admin },
    );
    machines = await console.ok(
      catalogue.createService,
      {
        name: 'Machines',
        type: 'VM',
        category: 'Own',
        currency: 'TWD',
        charges: [
          { key: 'fee', name: named('月費', 'Fee'), kind: 'recurring', model: 'flat', amount: '200' },
          {
            key: 'seats',
            name: named('席次', 'Seats'),
            kind: 'recurring',
            model: 'per_unit',
            unitPrice: '50',
          },
          {
            key: 'traffic',
            name: named('流量', 'Traffic'),
            kind: 'usage',
            meter: 'traffic',
            model: 'graduated',
            tiers: [
              { upTo: '10', unitPrice: '3.3' },
              { upTo: null, unitPrice: '2.75' },
            ],
          },
          { key: 'setup', name: named('開通費', 'Set-up'), kind: 'one_time', model: 'flat', amount: '500' },
        ],
      },
      { token: admin },
    );
  });
}

let organizations = 0;
/** A new customer with one member. */
export async function customer(): Promise<{ organizationId: Id<'org'>; token: string; email: string }> {
  const email = `owner@customer${++organizations}.example`;
  const { token, organizationId } = await registerUser(console, email, `Customer ${organizations}`);
  return { email, token, organizationId: organizationId as Id<'org'> };
}

/** Moves the clock; the Admin signs in again. */
export async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
}

export const content = (more: Partial<QuoteContent> = {}): QuoteContent => ({
  months: 12,
  items: [],
  oneOffs: [],
  discounts: [],
  grants: [],
  minimumSpend: null,
  ...more,
});
type Created = In<typeof quotes.createQuote>;
export const create = (
  organizationId: Id<'org'>,
  offered: Partial<QuoteContent> = { items: [{ serviceId: storage.id }] },
  more: Partial<Created> = {},
) =>
  console.ok(
    quotes.createQuote,
    { organizationId, currency: 'TWD', validUntil: day('2026-10-31'), content: content(offered), ...more },
    { token: admin },
  );
export const send = (quoteId: Id<'qot'>) => console.ok(quotes.sendQuote, { quoteId }, { token: admin });
export const detail = (quoteId: Id<'qot'>) => console.ok(quotes.getQuote, { quoteId }, { token: admin });
/** The secret of a quote's link. */
export const tokenOf = ({ link }: QuoteDetail): string => link?.split('/').at(-1) ?? '';
/** A quote that was sent, and the secret of its link. */
export async function sent(
  organizationId: Id<'org'>,
  offered?: Partial<QuoteContent>,
  more: Partial<Created> = {},
): Promise<{ id: Id<'qot'>; token: string; quote: QuoteDetail }> {
  const { id } = await create(organizationId, offered, more);
  const quote = await send(id);
  return { id, token: tokenOf(quote), quote };
}
export const accept = (token: string, name = '王小明') =>
  console.call(quotes.acceptQuote, { token, name, mayAct: true });
export const decline = (token: string, reason = '') =>
  console.call(quotes.declineQuote, { token, name: '王小明', reason });
