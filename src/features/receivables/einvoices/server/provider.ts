// The interface of every channel through which statutory invoices (統一發票) reach the Ministry of Finance's
// platform: a value-added service provider (加值中心) with an API, or Turnkey, which takes files. The methods
// make external calls, so they must not run inside a transaction.
import type { Id } from '#kernel/ids.ts';

import type { Carrier, DocumentSums, InvoiceItem, Party } from '../rules-document.ts';
import type { EInvoiceProviderName } from '../contract.ts';

export { itemTaxKinds, type EInvoiceProviderName, type ItemTaxKind } from '../contract.ts';
export type { Carrier, InvoiceItem, Party } from '../rules-document.ts';

/** What a provider needs: an account with it, or nothing for `turnkey`. */
export type ProviderSettings = {
  readonly provider: EInvoiceProviderName;
  readonly merchantId: string;
  readonly hashKey: string;
  readonly hashIv: string;
  /** Whether to use the provider's test environment instead of the live one. */
  readonly isStage: boolean;
  /** Whether the account's service for companies is enabled. */
  readonly hasB2b: boolean;
};

/**
 * An invoice as it is sent; its content does not change once it is stored. Amounts are whole New Taiwan
 * dollars.
 */
export type InvoiceToSend = {
  /** The same id always identifies the same invoice: providers call it RelateNumber or MerchantOrderNo. */
  readonly invoiceId: Id<'ein'>;
  /**
   * Two letters and eight digits from one of the seller's tracks; null if the provider allocates the number.
   */
  readonly number: string | null;
  /** Four digits, printed and in the codes; null if the provider generates it. */
  readonly randomCode: string | null;
  /** The date and time on the invoice, stated in Asia/Taipei. */
  readonly issuedAt: Date;
  readonly seller: Party;
  /** A company is identified by its `taxId`. */
  readonly buyer: Party;
  /** For consumers only; never together with a donation. */
  readonly carrier: Carrier | null;
  /** 捐贈碼 of three to seven digits, or null. */
  readonly donationCode: string | null;
  /** Whether a proof is printed: always if there is no carrier and no donation. */
  readonly isPrinted: boolean;
  readonly items: readonly InvoiceItem[];
  /** 稅率 in percent, for the taxable part. */
  readonly taxRate: string;
  /** Sales by tax kind: net on an invoice to a company; with tax, as printed, to a consumer. */
  readonly sales: DocumentSums['sales'];
  /** The stated tax; 0 on an invoice to a consumer, whose sales include it. */
  readonly tax: bigint;
  /** The sum of the sales and the tax. */
  readonly total: bigint;
  /** The bill's number and other remarks; may be empty. */
  readonly remark: string;
};

/** An allowance (折讓) on an issued invoice. */
export type AllowanceToSend = {
  readonly allowanceId: Id<'eal'>;
  /** Our number of at most 16 letters and digits; null if the provider allocates it. */
  readonly number: string | null;
  readonly date: Date;
  readonly seller: Party;
  readonly buyer: Party;
  /** The invoice it reduces. */
  readonly invoice: { readonly id: Id<'ein'>; readonly number: string; readonly issuedAt: Date };
  /** Net amounts, each with its tax and the 1-based position of the item on the invoice that it reduces. */
  readonly items: readonly (InvoiceItem & { readonly tax: bigint; readonly originalSequence: number })[];
  readonly net: bigint;
  readonly tax: bigint;
  /**
   * The other known allowances in force on the same invoice: a provider that cannot look one up by our id
   * finds ours by excluding these.
   */
  readonly others: readonly { readonly number: string; readonly net: bigint; readonly tax: bigint }[];
};

/** Identifies what was issued, for example to cancel it. */
export type IssuedInvoice = { readonly number: string; readonly randomCode: string; readonly issuedAt: Date };
export type IssuedAllowance = { readonly number: string };

/** Numbers of a track that no invoice used by the end of its period (空白未使用字軌, E0402). */
export type UnusedNumbers = {
  readonly seller: Party;
  /** The first of the two months: `2026-11`. */
  readonly period: string;
  /** Two letters. */
  readonly track: string;
  /**
   * The numbers within the track that the Ministry allocated to the seller, and those left unused, eight
   * digits each.
   */
  readonly range: { readonly from: string; readonly to: string };
  readonly unused: readonly { readonly from: string; readonly to: string }[];
};

/** The state of an upload on the Ministry's platform. */
export type UploadState =
  | { readonly state: 'uploading' }
  | { readonly state: 'uploaded' }
  | { readonly state: 'failed'; readonly code: string; readonly reason: string };

/** The provider clearly refused, with its own message: nothing was created there. */
export class ProviderRefused extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
/**
 * The provider's result is unknown: a time-out, a broken connection, an unreadable response. It is queried
 * with `find…` before anything is sent again.
 */
export class ProviderUnsure extends Error {}

/**
 * A channel. Every method throws {@link ProviderRefused} or {@link ProviderUnsure}. Issuing twice with the
 * same id creates one invoice, or is refused; a `find` returns null only if there is certainly nothing.
 */
export type EInvoiceProvider = {
  readonly name: EInvoiceProviderName;
  /** Whether it takes numbers from its own account, not from the seller's tracks here. */
  readonly allotsNumbers: boolean;
  /** Verifies address and keys; throws if they are wrong. */
  check(now: Date): Promise<{ isLive: boolean }>;
  issue(invoice: InvoiceToSend): Promise<IssuedInvoice>;
  findInvoice(invoice: InvoiceToSend): Promise<IssuedInvoice | null>;
  /** 作廢. `reason` has at most 20 characters. */
  voidInvoice(invoice: InvoiceToSend, issued: IssuedInvoice, reason: string, at: Date): Promise<void>;
  isVoided(invoice: InvoiceToSend, issued: IssuedInvoice): Promise<boolean>;
  /**
   * 註銷: cancels an uploaded invoice whose proof no one holds, so that the same number can be issued again
   * with different content. `reason` has at most 20 characters. Null if the provider does not support it.
   */
  readonly annulInvoice:
    | ((invoice: InvoiceToSend, issued: IssuedInvoice, reason: string, at: Date) => Promise<void>)
    | null;
  allow(allowance: AllowanceToSend): Promise<IssuedAllowance>;
  findAllowance(allowance: AllowanceToSend): Promise<IssuedAllowance | null>;
  voidAllowance(allowance: AllowanceToSend, issued: IssuedAllowance, reason: string, at: Date): Promise<void>;
  isAllowanceVoided(allowance: AllowanceToSend, issued: IssuedAllowance): Promise<boolean>;
  /** Returns the state of an invoice's upload to the Ministry's platform. */
  invoiceState(invoice: InvoiceToSend, issued: IssuedInvoice): Promise<UploadState>;
  /** Reports numbers that remain unused; null if the provider does this for its own tracks. */
  readonly reportUnused: ((unused: UnusedNumbers) => Promise<void>) | null;
};
