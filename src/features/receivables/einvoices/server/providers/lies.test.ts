// Every provider with an API, and every way in which it or the network can give a wrong response: what is
// reported then, and that a repeated request finds the truth.
import { describe, expect, it } from 'vitest';
import { atFileEnd } from '#tests/support/clean-up.ts';
import { allowanceOn, companyInvoice, consumerInvoice } from '#tests/support/einvoices/documents.ts';
import { ecpayInvoiceAccount, startEcpayInvoices } from '#tests/support/einvoices/ecpay.ts';
import { ezpayInvoiceAccount, startEzpayInvoices } from '#tests/support/einvoices/ezpay.ts';
import { lies, type Lie } from '#tests/support/einvoices/fake-service.ts';
import {
  ProviderRefused,
  ProviderUnsure,
  type EInvoiceProvider,
  type InvoiceToSend,
  type IssuedInvoice,
} from '../provider.ts';
import { ecpayInvoices } from './ecpay.ts';
import { ezpayInvoices } from './ezpay.ts';

const now = (): Date => new Date('2026-11-26T06:30:06Z');

type Way = {
  readonly provider: EInvoiceProvider;
  readonly lie: (lie: Lie, on?: string) => void;
  /** The issued numbers of the simulated provider, and whether each is void; in order. */
  readonly held: () => { number: string; isVoided: boolean }[];
  readonly allowed: () => { number: string; isVoided: boolean }[];
  readonly invoice: (seed: number) => InvoiceToSend;
};

async function ecpay(hasB2b: boolean): Promise<Way> {
  const fake = await startEcpayInvoices();
  atFileEnd(fake.close);
  fake.issued.customers.add(companyInvoice().buyer.taxId);
  return {
    provider: ecpayInvoices({ ...ecpayInvoiceAccount, apiBase: fake.url, hasB2b, now }),
    lie: fake.lie,
    held: () => fake.issued.state().invoices,
    allowed: () => fake.issued.state().allowances,
    invoice: (seed) => companyInvoice(seed, { number: null, randomCode: null }),
  };
}
async function ezpay(): Promise<Way> {
  const fake = await startEzpayInvoices();
  atFileEnd(fake.close);
  return {
    provider: ezpayInvoices({ ...ezpayInvoiceAccount, apiBase: fake.url, now }),
    lie: fake.lie,
    held: () => fake.issued.state().invoices,
    allowed: () => fake.issued.state().allowances,
    invoice: (seed) => consumerInvoice(seed, { number: null, randomCode: null }),
  };
}
const ways = {
  'ECPay B2C': () => ecpay(false),
  'ECPay B2B': () => ecpay(true),
  ezPay: ezpay,
} satisfies Record<string, () => Promise<Way>>;
type WayName = keyof typeof ways;
const names = Object.keys(ways) as WayName[];
/** Waiting for the platform’s limit takes five seconds, and is the same for both services of ECPay. */
const table = (some: readonly Lie[]): { name: WayName; lie: Lie }[] =>
  names.flatMap((name) =>
    some.filter((lie) => name !== 'ECPay B2B' || !lie.startsWith('silent')).map((lie) => ({ name, lie })),
  );

const undone = new Set<Lie>([
  'cut before',
  'silent before',
  'rubbish before',
  'status 500 before',
  'busy',
  'refused',
]);
/** What an answer is, or the error. */
const outcome = async (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

describe('T-EINV: issuing when the provider or the network fails', () => {
  it.concurrent.each(table(lies))(
    '$name, $lie: unknown, then found, and one invoice in total',
    async ({ name, lie }) => {
      const { provider, lie: order, held, invoice } = await ways[name]();
      const first = await provider.issue(invoice(1));
      order(lie);
      const answer = await outcome(provider.issue(invoice(2)));
      // Another invoice’s number looks right here: providers that assign numbers detect it, and query as
      // below.
      if (lie === 'a used number') expect(answer).toMatchObject({ number: first.number });
      else expect(answer).toBeInstanceOf(lie === 'refused' ? ProviderRefused : ProviderUnsure);

      const found = await provider.findInvoice(invoice(2));
      expect(found?.number).toBe(held()[1]?.number);
      expect(found === null).toBe(undone.has(lie));

      const again = await provider.issue(invoice(2));
      expect(again.number).toBe(held()[1]?.number);
      expect(again.number).not.toBe(first.number);
      expect(held()).toHaveLength(2);
    },
    20_000,
  );
});

describe('T-EINV: querying when the provider or the network fails', () => {
  it.concurrent.each(
    table(lies.filter((lie) => !['a used number', 'no number', 'silent before'].includes(lie))),
  )(
    '$name, $lie: never taken for a missing invoice',
    async ({ name, lie }) => {
      const { provider, lie: order, invoice } = await ways[name]();
      const issued = await provider.issue(invoice(1));
      for (let question = 1; question <= 3; question++) order(lie);
      const answers = await Promise.all([
        outcome(provider.findInvoice(invoice(1))),
        outcome(provider.isVoided(invoice(1), issued)),
        outcome(provider.invoiceState(invoice(1), issued)),
      ]);
      for (const answer of answers) expect(answer).toBeInstanceOf(ProviderUnsure);
      expect(await provider.findInvoice(invoice(1))).toEqual(issued);
    },
    30_000,
  );
});

const spoken = lies.filter((lie) => !lie.startsWith('silent') && lie !== 'refused');

describe('T-EINV: voiding when the provider or the network fails', () => {
  it.concurrent.each(table(spoken))(
    '$name, $lie: never rejected, and repeated until it is done',
    async ({ name, lie }) => {
      const { provider, lie: order, held, invoice } = await ways[name]();
      const issued: IssuedInvoice = await provider.issue(invoice(1));
      order(lie);
      const answer = await outcome(provider.voidInvoice(invoice(1), issued, '金額開立錯誤', now()));
      expect(answer).not.toBeInstanceOf(ProviderRefused);
      expect(await provider.isVoided(invoice(1), issued)).toBe(!undone.has(lie));
      expect(held()[0]?.isVoided).toBe(!undone.has(lie));
      await provider.voidInvoice(invoice(1), issued, '金額開立錯誤', now());
      expect(await provider.isVoided(invoice(1), issued)).toBe(true);
    },
  );
});

describe('T-EINV: allowances when the provider or the network fails', () => {
  const lost = spoken.filter((lie) => lie !== 'a used number' && lie !== 'no number');
  it.concurrent.each(table(lost))('$name, $lie: found, or left to an Admin', async ({ name, lie }) => {
    const { provider, lie: order, allowed, invoice } = await ways[name]();
    const issued = await provider.issue(invoice(1));
    const allowance = allowanceOn(invoice(1), issued);
    order(lie);
    const answer = await outcome(provider.allow(allowance));
    // ezPay documents no check value for responses to allowances.
    if (!(name === 'ezPay' && lie === 'wrong keys')) expect(answer).toBeInstanceOf(ProviderUnsure);
    expect(allowed()).toHaveLength(undone.has(lie) ? 0 : 1);

    const found = await outcome(provider.findAllowance(allowance));
    if (name === 'ECPay B2C')
      expect(found).toEqual(undone.has(lie) ? null : { number: allowed()[0]?.number });
    if (name === 'ECPay B2B' && undone.has(lie)) expect(found).toBeNull();
    if (name === 'ECPay B2B' && !undone.has(lie)) expect(found).toBeInstanceOf(ProviderUnsure);
    if (name === 'ezPay') expect(found).toBeInstanceOf(ProviderUnsure);
  });
});
