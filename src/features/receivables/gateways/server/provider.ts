// The interface of every payment provider. Its methods call the provider, so they must not run inside a
// transaction.
import type { Id } from '#kernel/ids.ts';
import type { Language } from '#kernel/language.ts';
import type { Currency, Money } from '#kernel/money.ts';
import type { DomainError } from '#kernel/errors.ts';
import type { RawInput } from '#platform/server/unit-of-work/feature.ts';
import type { disputeStates, ProviderName } from '../contract.ts';

/**
 * A payment that is stored before the provider is called; the same intent always leads to the same checkout.
 */
export type Intent = {
  readonly paymentId: Id<'pay'>;
  readonly amount: Money;
  /** The description shown to the customer at the provider. */
  readonly description: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly language: Language;
  readonly addresses: { readonly success: string; readonly cancelled: string; readonly webhook: string };
};

/** The customer's next step: an address to open, or a form that their browser posts there. */
export type Checkout = {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>> | null;
  readonly reference: string;
};

/** A provider's notice about a payment, a refund or a dispute, in our terms. */
export type PaymentNotice = {
  readonly about: 'payment';
  readonly paymentId: Id<'pay'>;
  readonly outcome: 'processing' | 'succeeded' | 'failed';
  /** The received amount; null before anything was received. */
  readonly amount: Money | null;
  /** The provider's name of the captured money; refunds refer to it. */
  readonly reference: string | null;
};
export type RefundNotice = {
  readonly about: 'refund';
  /** Null: the refund was made at the provider, not here. */
  readonly refundId: Id<'rfd'> | null;
  readonly outcome: 'pending' | 'succeeded' | 'failed';
  readonly amount: Money;
  /** The provider's name of the captured money. */
  readonly paymentReference: string;
  /** The provider's name of the refund. */
  readonly reference: string;
};
/**
 * Money that a provider moved because of a dispute: positive was withdrawn from us, negative was given back.
 * The same signs for its fee.
 */
export type DisputeMove = { readonly reference: string; readonly amount: Money; readonly fee: Money };
export type DisputeNotice = {
  readonly about: 'dispute';
  readonly outcome: (typeof disputeStates)[number];
  readonly amount: Money;
  /** The reason in the provider's terms. */
  readonly reason: string;
  /** Until when the provider accepts evidence, and when it sent this: RFC 3339. */
  readonly dueBy: string | null;
  readonly sentAt: string;
  /** All movements so far. */
  readonly moves: readonly DisputeMove[];
  /** The provider's name of the captured money. */
  readonly paymentReference: string;
  /** The provider's name of the dispute. */
  readonly reference: string;
};
export type Notice = PaymentNotice | RefundNotice | DisputeNotice;

/** A refund that is stored before the provider is called. */
export type RefundIntent = {
  readonly refundId: Id<'rfd'>;
  readonly paymentId: Id<'pay'>;
  readonly amount: Money;
  readonly isWhole: boolean;
  /** The provider's references of the captured money, and of the refund where it is known. */
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
  /** Whether a checkout can be opened a second time; where not, a returning customer gets a new one. */
  readonly reopens: boolean;
  /** How long a checkout stays open. */
  readonly openMinutes: number;
  /** The response body that the provider expects for an accepted webhook. */
  readonly thanks: { readonly mediaType: string; readonly body: string };
  /** Whether a refund with an unknown outcome can be requested again without paying twice. */
  readonly knowsRefunds: boolean;
  /**
   * Verifies our keys with a call that changes nothing; answers whether real money moves there. Throws {@link
   * ProviderRefused} or {@link ProviderUnsure}.
   */
  readonly check: (now: Date) => Promise<{ readonly isLive: boolean }>;
  /** Throws {@link ProviderRefused} or {@link ProviderUnsure}. Repeated for one intent it gives the same checkout. */
  readonly begin: (intent: Intent) => Promise<Checkout>;
  /**
   * Closes an unpaid checkout, where the provider supports it. Throws {@link ProviderRefused} when it is paid
   * or over, or {@link ProviderUnsure}.
   */
  readonly close?: (checkoutReference: string) => Promise<void>;
  /**
   * Verifies a webhook's signature and reads it; undefined when it concerns none of our payments. Throws when
   * it is refused; a signed but unreadable one is answered as an error.
   */
  readonly read: (
    raw: RawInput,
    now: Date,
  ) => Promise<{ readonly eventId: string; readonly notice: Notice | DomainError } | undefined>;
  /**
   * The state of a payment at the provider. 'open': it may still be paid; 'absent': it does not exist, or can
   * no longer be paid. Throws {@link ProviderUnsure}.
   */
  readonly queryPayment: (
    intent: Intent,
    checkoutReference: string | null,
    now: Date,
  ) => Promise<'open' | 'absent' | PaymentNotice>;
  /** Refunds money. Throws {@link ProviderUnsure}. */
  readonly refund: (intent: RefundIntent) => Promise<RefundAnswer>;
  /**
   * The state of a refund with an unknown outcome; requests it again where that cannot pay twice. Throws
   * {@link ProviderUnsure}.
   */
  readonly askRefund: (intent: RefundIntent, now: Date) => Promise<RefundAnswer>;
};

/** The provider refused the call, and nothing happened. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused';
}

/** It is unknown whether the provider did what was requested. */
export class ProviderUnsure extends Error {
  override readonly name = 'ProviderUnsure';
}
