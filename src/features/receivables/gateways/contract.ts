// Gateways: payment providers behind one small interface, and the webhook to which they report events.
import * as z from 'zod/mini';
import { contract, file, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { text } from '#kernel/shape.ts';

/**
 * The supported payment providers; one that is not configured does not exist. `ecpay` takes cards; with
 * `ecpay_atm` and `ecpay_cvs`, the customer gets a virtual account or a payment code from ECPay and pays
 * later.
 */
export const providers = ['stripe', 'ecpay', 'ecpay_atm', 'ecpay_cvs'] as const;
export type ProviderName = (typeof providers)[number];

/**
 * The states of a payment that the cardholder disputes. `inquiry`: the bank only inquires, and no money has
 * moved.
 */
export const disputeStates = ['inquiry', 'needs_response', 'under_review', 'won', 'lost', 'closed'] as const;

/** Whether a payment method uses a payment provider. */
export const isProvider = (method: string): method is ProviderName =>
  (providers as readonly string[]).includes(method);

/**
 * Whether a provider gives the customer an account or a code that is paid within days. Such payments cannot
 * be refunded through the provider.
 */
export const isPaidLater = (method: string): boolean => method === 'ecpay_atm' || method === 'ecpay_cvs';

export const gateways = contract({
  webhook: route({
    method: 'POST',
    path: '/payments/webhooks/:provider',
    access: 'public',
    summary: 'Receive a provider event',
    description: 'What a payment provider reports, signed by it. Each event is applied once.',
    raw: { types: ['application/json', 'application/x-www-form-urlencoded'], maxBytes: 256 * 1024 },
    input: z.strictObject({ provider: text(40) }),
    output: file,
  }),
});

export const gatewaysErrors = {
  'gateways.signature_wrong': 401,
  'gateways.too_old': 401,
  'gateways.event_unreadable': 422,
  'gateways.no_answer': 503,
} as const satisfies ErrorTable;
