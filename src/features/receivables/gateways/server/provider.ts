// The interface of all payment providers. Its methods call the provider, so they must not run inside a
// transaction.
import type { Id } from '#kernel/ids.ts';
import type { ContentLanguage } from '#kernel/language.ts';
import type { Currency, Money } from '#kernel/money.ts';
import type { DomainError } from '#kernel/errors.ts';
import type { RawInput } from '#platform/server/unit-of-work/feature.ts';
import type { disputeStates, ProviderName } from '../contract.ts';

/** A payment stored before the provider is called; the same intent always leads to the same checkout. */
export type Intent = {
  readonly paymentId: Id<'pay'>;
  /** The payer. */
  readonly organizationId: Id<'org'>;
  readonly amount: Money;
  /** The description shown to the customer by the provider. */
  readonly description: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly language: ContentLanguage;
  readonly addresses: { readonly success: string; readonly cancelled: string; readonly webhook: string };
  /** Whether the account or code that the customer pays to is already known. */
  readonly hasInstructions: boolean;
};

/** The account or code that a customer pays to after leaving the provider's page. */
export type PaymentInstructions = {
  /** The three-digit bank code; null for a convenience store code. */
  readonly bank: string | null;
  readonly number: string;
  /** When it expires: RFC 3339. */
  readonly expiresAt: string;
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
  /** `instructed`: the customer got an account or a code, and has not paid yet. */
  readonly outcome: 'instructed' | 'processing' | 'succeeded' | 'failed';
  readonly instructions?: PaymentInstructions;
  /** The received amount; null before anything was received. */
  readonly amount: Money | null;
  /** The provider's reference of the captured money; refunds refer to it. */
  readonly reference: string | null;
  /** Why a saved card was declined, as the provider's code. */
  readonly declineCode?: string;
};
export type RefundNotice = {
  readonly about: 'refund';
  /** Null: the refund was made at the provider, not here. */
  readonly refundId: Id<'rfd'> | null;
  readonly outcome: 'pending' | 'succeeded' | 'failed';
  readonly amount: Money;
  /** The provider's reference of the captured money. */
  readonly paymentReference: string;
  /** The provider's reference of the refund. */
  readonly reference: string;
};
/**
 * Money that a provider moved because of a dispute: positive was withdrawn from us, negative was returned.
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
  /** The provider's reference of the captured money. */
  readonly paymentReference: string;
  /** The provider's reference of the dispute. */
  readonly reference: string;
};
export type Notice = PaymentNotice | RefundNotice | DisputeNotice;

/** The known data of a card; its number never reaches us. */
export type CardFacts = {
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
  /** The same for the same number; null if the provider has none. */
  readonly fingerprint: string | null;
};
/**
 * An event of a saved card. `saved`: the customer finished entering it; `updated`: its bank or its holder
 * renewed it; `detached`: the provider no longer stores it; `customer_gone`: the customer was deleted there.
 */
export type CardNotice = {
  readonly about: 'card';
  readonly outcome: 'saved' | 'updated' | 'detached' | 'customer_gone';
  readonly setupId: Id<'cst'> | null;
  /**
   * The provider's references of the card, empty for `customer_gone`, and of the customer, null if it does
   * not say.
   */
  readonly reference: string;
  readonly customer: string | null;
  readonly facts: CardFacts | null;
  /** The order that charged a small amount to verify the card, which is then released. */
  readonly verifiedBy?: string;
  /** RFC 3339. A notice older than the known state has no effect. */
  readonly sentAt: string;
};

/** The entry of a card with the provider, stored before the provider is called. */
export type SetupIntent = {
  readonly setupId: Id<'cst'>;
  readonly customer: string;
  readonly currency: Currency;
  readonly language: ContentLanguage;
  readonly createdAt: Date;
  /** The user who enters the card. */
  readonly payer: Payer;
  /**
   * `entry`: our own page, for a provider whose script takes the number there; `result`: where the browser
   * posts its result.
   */
  readonly addresses: {
    readonly success: string;
    readonly cancelled: string;
    readonly entry: string;
    readonly result: string;
    readonly webhook: string;
  };
};

/** The holder of a card, as sent to a provider. */
export type Payer = { readonly name: string; readonly email: string };

/** An entry whose notice has not arrived. `known`: the provider's references of the cards stored so far. */
export type OpenSetup = {
  readonly setupId: Id<'cst'>;
  readonly reference: string;
  readonly customer: string;
  readonly known: readonly string[];
  readonly createdAt: Date;
};

/** A script that the page of an entry loads; with `integrity`, no other content is run. */
export type CardScript = { readonly url: string; readonly integrity: string | null };

/**
 * How a card is entered on our page, if the provider has no page of its own: its script sends the number to
 * the provider.
 */
export type CardEntry = {
  readonly scripts: readonly CardScript[];
  /** Whether it is the provider's test environment. */
  readonly isTrial: boolean;
  /**
   * Saves the card that the script took: returns the address where its bank authenticates the holder, or the
   * saved card. Throws {@link ProviderRefused} if the card was declined.
   */
  readonly finish: (
    setup: OpenSetup,
    payToken: string,
    now: Date,
  ) => Promise<{ readonly url: string } | CardEvent>;
  /**
   * Reads what the holder's browser brings from the bank; undefined if no card was saved. Throws if it is not
   * from the provider.
   */
  readonly readResult: (raw: RawInput, now: Date) => Promise<CardEvent | undefined>;
};

export type CardEvent = { readonly eventId: string; readonly notice: CardNotice };

/** A charge of a saved card, stored before the provider is called; the same for every repeat. */
export type ChargeIntent = {
  readonly paymentId: Id<'pay'>;
  /** The bill, and the number of the attempt; null: a top-up, whose payment is its only attempt. */
  readonly billId: Id<'bil'> | null;
  readonly attempt: number;
  readonly amount: Money;
  readonly customer: string;
  readonly card: string;
  /** The user who entered the card. */
  readonly payer: Payer;
  readonly description: string;
  readonly createdAt: Date;
  /** Where the provider reports the result. */
  readonly webhook: string;
};

/**
 * A provider's operations on saved cards. None of these may run inside a transaction. All throw {@link
 * ProviderUnsure}.
 */
export type CardProvider = {
  /**
   * Creates the customer under which the provider stores an organization's cards. Throws {@link
   * ProviderRefused}.
   */
  readonly createCustomer: (organizationId: string, name: string) => Promise<string>;
  /** Returns the page for entering a card. Throws {@link ProviderRefused}. A repeat returns the same page. */
  readonly beginSetup: (
    intent: SetupIntent,
    now: Date,
  ) => Promise<Checkout & { readonly entryToken?: string }>;
  /** Set if cards are entered on our page. */
  readonly entry?: CardEntry;
  /** Queries the result of an entry whose notice has not arrived. */
  readonly querySetup: (setup: OpenSetup, now: Date) => Promise<'open' | 'absent' | CardNotice>;
  /**
   * Charges a card without its holder being present. A decline is a notice. Throws {@link ProviderRefused}.
   */
  readonly charge: (intent: ChargeIntent, now: Date) => Promise<PaymentNotice>;
  /** Queries the result of a charge without a response; 'absent': the provider has none. */
  readonly findCharge: (intent: ChargeIntent, now: Date) => Promise<'absent' | PaymentNotice>;
  /** How long a repeated charge is certain to be recognized. */
  readonly recognizesMs: number;
  /** Makes the provider forget a card. Throws {@link ProviderRefused} if it has no such card. */
  readonly detach: (card: string, now: Date) => Promise<void>;
  /**
   * Lists the cards stored by the provider, if it does not report renewals itself. `setup`: the entry of one
   * of them.
   */
  readonly list?: (
    customer: string,
    setup: string,
    now: Date,
  ) => Promise<readonly { readonly reference: string; readonly facts: CardFacts }[]>;
  /** Releases the amount charged to verify a card. Throws {@link ProviderRefused}. */
  readonly release?: (order: string, now: Date) => Promise<void>;
};

/** A refund stored before the provider is called. */
export type RefundIntent = {
  readonly refundId: Id<'rfd'>;
  readonly paymentId: Id<'pay'>;
  readonly amount: Money;
  readonly isWhole: boolean;
  /** Whether a saved card was charged without its holder being present. */
  readonly isOffSession: boolean;
  /** The provider's references of the captured money, and of the refund if known. */
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
  /** Checkouts are for multiples of this many minor units of a currency; missing for any amount. */
  readonly stepOf?: (currency: Currency) => bigint;
  /** Whether a checkout can be opened a second time; otherwise, a returning customer gets a new one. */
  readonly reopens: boolean;
  /** The amounts that can be paid with this method; missing for no limits. */
  readonly range?: { readonly min: Money; readonly max: Money };
  /** How long a checkout stays open. */
  readonly openMinutes: number;
  /** The response body that the provider expects for an accepted webhook. */
  readonly thanks: { readonly mediaType: string; readonly body: string };
  /** Whether a refund with an unknown outcome can be requested again without paying twice. */
  readonly knowsRefunds: boolean;
  /**
   * Verifies our keys with a call that changes nothing; returns whether real money moves there. Throws {@link
   * ProviderRefused} or {@link ProviderUnsure}.
   */
  readonly check: (now: Date) => Promise<{ readonly isLive: boolean }>;
  /**
   * Throws {@link ProviderRefused} or {@link ProviderUnsure}. A repeat for the same intent returns the same
   * checkout.
   */
  readonly begin: (intent: Intent) => Promise<Checkout>;
  /**
   * Closes an unpaid checkout, if the provider supports it. Throws {@link ProviderRefused} if it is paid or
   * over, or {@link ProviderUnsure}.
   */
  readonly close?: (checkoutReference: string) => Promise<void>;
  /** Saved cards, if the provider supports them. */
  readonly cards?: CardProvider;
  /**
   * Verifies a webhook's signature and reads it; undefined if it does not concern our payments. Throws if it
   * is refused; a signed but unreadable one is returned as an error.
   */
  readonly read: (
    raw: RawInput,
    now: Date,
  ) => Promise<{ readonly eventId: string; readonly notice: Notice | CardNotice | DomainError } | undefined>;
  /**
   * Returns the state of a payment at the provider. 'open': it may still be paid; 'absent': it does not
   * exist, or can no longer be paid. Throws {@link ProviderUnsure}.
   */
  readonly queryPayment: (
    intent: Intent,
    checkoutReference: string | null,
    now: Date,
  ) => Promise<'open' | 'absent' | PaymentNotice>;
  /** Refunds money. Throws {@link ProviderUnsure}. */
  readonly refund: (intent: RefundIntent, now: Date) => Promise<RefundAnswer>;
  /**
   * Returns the state of a refund with an unknown outcome; requests it again if that cannot pay twice. Throws
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
