// The payment provider of sandboxes: it accepts every payment and card, moves no money, and makes no calls.
// Its responses depend only on the request, so it stores nothing.
import { isId, type Id } from '#kernel/ids.ts';
import { domainError } from '#kernel/errors.ts';
import { dayMs } from '#kernel/durations.ts';
import { gatewaysErrors } from '../contract.ts';
import {
  ProviderRefused,
  type CardProvider,
  type ChargeIntent,
  type PaymentNotice,
  type Provider,
} from './provider.ts';

const mark = 'test_';
const declined = `${mark}declined_`;

/** Derived from a customer's name: cards of a customer named with "declined" are declined. */
const customerOf = (organizationId: string, name: string): string =>
  `${/declined/i.test(name) ? declined : mark}${organizationId}`;

function charged({ paymentId, customer, amount }: ChargeIntent): PaymentNotice {
  const about = 'payment';
  return customer.startsWith(declined)
    ? { about, paymentId, outcome: 'failed', amount: null, reference: null, declineCode: 'card_declined' }
    : { about, paymentId, outcome: 'succeeded', amount, reference: `${mark}${paymentId}` };
}

/** The setup and the customer in the reference of an entered card. */
function setupOf(reference: string): { readonly setupId: Id<'cst'>; readonly customer: string } | undefined {
  const [setupId = '', customer = ''] = reference.slice(mark.length).split('/');
  return isId('cst', setupId) ? { setupId, customer } : undefined;
}

const cards: CardProvider = {
  createCustomer: async (organizationId, name) => customerOf(organizationId, name),
  beginSetup: async ({ setupId, customer, addresses }) => ({
    url: addresses.success,
    fields: null,
    reference: `${mark}${setupId}/${customer}`,
  }),
  querySetup: async ({ reference }, now) => {
    const setup = setupOf(reference);
    if (!setup) return 'absent';
    return {
      about: 'card',
      outcome: 'saved',
      setupId: setup.setupId,
      reference: `${mark}${setup.setupId}`,
      customer: setup.customer,
      facts: {
        brand: 'visa',
        last4: '4242',
        expMonth: 12,
        expYear: now.getUTCFullYear() + 3,
        fingerprint: `${mark}${setup.setupId}`,
      },
      sentAt: now.toISOString(),
    };
  },
  charge: async (intent) => charged(intent),
  findCharge: async (intent) => charged(intent),
  recognizesMs: 365 * dayMs,
  detach: async () => undefined,
};

/** The provider of a sandbox. It uses the name of Stripe, which takes every currency and saves cards. */
export const testProvider: Provider = {
  name: 'stripe',
  takes: () => true,
  reopens: true,
  openMinutes: 60,
  thanks: { mediaType: 'application/json', body: '{}' },
  knowsRefunds: true,
  check: async () => ({ isLive: false }),
  begin: async ({ paymentId, addresses }) => ({
    url: addresses.success,
    fields: null,
    reference: `${mark}${paymentId}`,
  }),
  close: async () => {
    throw new ProviderRefused('it is paid');
  },
  cards,
  read: async () => {
    // It has no signed events.
    throw domainError(gatewaysErrors, 'gateways.signature_wrong');
  },
  queryPayment: async ({ paymentId, amount }) => ({
    about: 'payment',
    paymentId,
    outcome: 'succeeded',
    amount,
    reference: `${mark}${paymentId}`,
  }),
  refund: async ({ refundId }) => ({ outcome: 'succeeded', reference: `${mark}${refundId}`, reason: '' }),
  askRefund: async ({ refundId }) => ({ outcome: 'succeeded', reference: `${mark}${refundId}`, reason: '' }),
};
