// What every payment provider can do for us; all of it is asked outside of units of work.
import type { Id } from '#kernel/ids.ts';
import type { Language } from '#kernel/language.ts';
import type { Currency, Money } from '#kernel/money.ts';
import type { DomainError } from '#kernel/errors.ts';
import type { RawInput } from '#platform/server/unit-of-work/feature.ts';
import type { disputeStates, ProviderName } from '../contract.ts';

/** A payment that was stored before its provider is asked; the same intent always leads to the same checkout. */
export type Intent = {
  readonly paymentId: Id<'pay'>;
  readonly amount: Money;
  /** What the customer reads at the provider. */
  readonly description: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly language: Language;
  readonly addresses: { readonly success: string; readonly cancelled: string; readonly webhook: string };
};

/** How the customer goes on: to an address, or with a form that their browser posts there. */
export type Checkout = {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>> | null;
  readonly reference: string;
};

/** What a provider says of a payment, a refund or a dispute, in our words. */
export type PaymentNotice = {
  readonly about: 'payment';
  readonly paymentId: Id<'pay'>;
  readonly outcome: 'processing' | 'succeeded' | 'failed';
  /** What was received; null while nothing was. */
  readonly amount: Money | null;
  /** The provider's name of the captured money; refunds refer to it. */
  readonly reference: string | null;
};
export type RefundNotice = {
  readonly about: 'refund';
  /** Null: it was not asked for here. */
  readonly refundId: Id<'rfd'> | null;
  readonly outcome: 'pending' | 'succeeded' | 'failed';
  readonly amount: Money;
  /** The provider's name of the captured money. */
  readonly paymentReference: string;
  /** The provider's name of the refund. */
  readonly reference: string;
};
/** Money that a provider moved because of a dispute: above zero it was withdrawn from us, below zero given back. The same signs for its fee. */
export type DisputeMove = { readonly reference: string; readonly amount: Money; readonly fee: Money };
export type DisputeNotice = {
  readonly about: 'dispute';
  readonly outcome: (typeof disputeStates)[number];
  readonly amount: Money;
  /** In the provider's word. */
  readonly reason: string;
  /** Until when evidence is taken, and when the provider said this: RFC 3339. */
  readonly dueBy: string | null;
  readonly saidAt: string;
  /** All movements so far. */
  readonly moves: readonly DisputeMove[];
  /** The provider's name of the captured money. */
  readonly paymentReference: string;
  /** The provider's name of the dispute. */
  readonly reference: string;
};
export type Notice = PaymentNotice | RefundNotice | DisputeNotice;

/** A refund that was stored before its provider is asked. */
export type RefundIntent = {
  readonly refundId: Id<'rfd'>;
  readonly paymentId: Id<'pay'>;
  readonly amount: Money;
  readonly isWhole: boolean;
  /** The provider's names of the captured money, and of the refund where it is known. */
  readonly paymentReference: string;
  readonly reference: string | null;
  readonly createdAt: Date;
};
export type RefundAnswer = {
  readonly outcome: 'pending' | 'succeeded' | 'failed';
  readonly reference: string | null;
  readonly reason: string;
};

export type Provider = {
  readonly name: ProviderName;
  readonly takes: (currency: Currency) => boolean;
  /** Whether a checkout may be opened a second time; where not, who comes back gets a new one. */
  readonly reopens: boolean;
  /** How long a checkout stays open. */
  readonly openMinutes: number;
  /** What it wants to read when a webhook was taken. */
  readonly thanks: { readonly mediaType: string; readonly body: string };
  /** Whether a refund whose outcome is unknown can be asked for without the danger of doing it twice. */
  readonly knowsRefunds: boolean;
  /** Whether it takes our keys, asked without any effect; answers whether money is real there. Throws {@link ProviderRefused} or {@link ProviderUnsure}. */
  readonly check: (now: Date) => Promise<{ readonly isLive: boolean }>;
  /** Throws {@link ProviderRefused} or {@link ProviderUnsure}. Repeated for one intent it gives the same checkout. */
  readonly begin: (intent: Intent) => Promise<Checkout>;
  /** Closes a checkout that nobody has paid, where the provider can. Throws {@link ProviderRefused} when it is paid or over, or {@link ProviderUnsure}. */
  readonly close?: (checkoutReference: string) => Promise<void>;
  /** Checks a webhook's signature and reads it; undefined when it is about nothing of ours. Throws refusals; one that is signed and cannot be read answers why. */
  readonly read: (
    raw: RawInput,
    now: Date,
  ) => Promise<{ readonly eventId: string; readonly notice: Notice | DomainError } | undefined>;
  /** How a payment stands there. 'open': it may still be paid; 'absent': there is none, or it can be paid no more. Throws {@link ProviderUnsure}. */
  readonly ask: (
    intent: Intent,
    checkoutReference: string | null,
    now: Date,
  ) => Promise<'open' | 'absent' | PaymentNotice>;
  /** Pays back. Throws {@link ProviderUnsure}. */
  readonly refund: (intent: RefundIntent) => Promise<RefundAnswer>;
  /** How a refund stands whose outcome is unknown; asked for once more where that cannot double it. Throws {@link ProviderUnsure}. */
  readonly askRefund: (intent: RefundIntent, now: Date) => Promise<RefundAnswer>;
};

/** The provider said no, and nothing happened. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused';
}

/** It is not known whether the provider did what it was asked for. */
export class ProviderUnsure extends Error {
  override readonly name = 'ProviderUnsure';
}
