// The interface of every way by which statutory invoices (統一發票) reach the Ministry of Finance's platform: a
// value-added service provider (加值中心) that is called, or Turnkey, which takes files. Its methods call
// outwards, so they must not run inside a transaction.
import type { Id } from '#kernel/ids.ts';

import type { Carrier, DocumentSums, InvoiceItem, Party } from '../rules-document.ts';
import type { EInvoiceProviderName } from '../contract.ts';

export { itemTaxKinds, type EInvoiceProviderName, type ItemTaxKind } from '../contract.ts';
export type { Carrier, InvoiceItem, Party } from '../rules-document.ts';

/** What a provider needs to be called: an account there, or nothing for `turnkey`. */
export type ProviderSettings = {
  readonly provider: EInvoiceProviderName;
  readonly merchantId: string;
  readonly hashKey: string;
  readonly hashIv: string;
  /** The provider's test environment instead of the live one. */
  readonly isStage: boolean;
  /** Whether the account's service for companies is switched on. */
  readonly hasB2b: boolean;
};

/** An invoice as it is sent; nothing in it changes once it is stored. Amounts are whole New Taiwan dollars. */
export type InvoiceToSend = {
  /** The same id always leads to the same invoice: providers know it as RelateNumber or MerchantOrderNo. */
  readonly invoiceId: Id<'ein'>;
  /** Two letters and eight digits from a track of the seller; null where the provider allots the number. */
  readonly number: string | null;
  /** Four digits, printed and in the codes; null where the provider makes it. */
  readonly randomCode: string | null;
  /** The date and time on the invoice; written in Asia/Taipei. */
  readonly issuedAt: Date;
  readonly seller: Party;
  /** A company is recognized by its `taxId`. */
  readonly buyer: Party;
  /** For consumers only; never together with a donation. */
  readonly carrier: Carrier | null;
  /** 捐贈碼 of three to seven digits, or null. */
  readonly donationCode: string | null;
  /** Whether a proof is printed: without carrier and donation, always. */
  readonly isPrinted: boolean;
  readonly items: readonly InvoiceItem[];
  /** 稅率 in percent, for the taxable part. */
  readonly taxRate: string;
  /** Sales by tax kind: without tax on an invoice to a company; with it, as printed, to a consumer. */
  readonly sales: DocumentSums['sales'];
  /** The tax that is shown; 0 on an invoice to a consumer, whose sales contain it. */
  readonly tax: bigint;
  /** The sum of the sales and the tax. */
  readonly total: bigint;
  /** The bill's number and what else belongs on it; may be empty. */
  readonly remark: string;
};

/** An allowance (折讓) on an invoice that was issued. */
export type AllowanceToSend = {
  readonly allowanceId: Id<'eal'>;
  /** At most 16 letters and digits, ours; null where the provider allots it. */
  readonly number: string | null;
  readonly date: Date;
  readonly seller: Party;
  readonly buyer: Party;
  /** The invoice that it lowers. */
  readonly invoice: { readonly id: Id<'ein'>; readonly number: string; readonly issuedAt: Date };
  /** Net amounts, each with its tax, and the place of the item on the invoice that it lowers: 1 is the first. */
  readonly items: readonly (InvoiceItem & { readonly tax: bigint; readonly originalSequence: number })[];
  readonly net: bigint;
  readonly tax: bigint;
  /** The other allowances on the same invoice that are known and stand: a provider that cannot look one up by our id finds ours by leaving these out. */
  readonly others: readonly { readonly number: string; readonly net: bigint; readonly tax: bigint }[];
};

/** What was issued can be named and cancelled by this. */
export type IssuedInvoice = { readonly number: string; readonly randomCode: string; readonly issuedAt: Date };
export type IssuedAllowance = { readonly number: string };

/** Numbers of a track that no invoice used until its period ended (空白未使用字軌, E0402). */
export type UnusedNumbers = {
  readonly seller: Party;
  /** The first month of the two: `2026-11`. */
  readonly period: string;
  /** Two letters. */
  readonly track: string;
  /** Numbers within the track that the Ministry allotted to the seller, and what of them is left, eight digits each. */
  readonly range: { readonly from: string; readonly to: string };
  readonly unused: readonly { readonly from: string; readonly to: string }[];
};

/** What the platform of the Ministry says of what was sent. */
export type UploadState =
  | { readonly state: 'uploading' }
  | { readonly state: 'uploaded' }
  | { readonly state: 'failed'; readonly code: string; readonly reason: string };

/** The provider said clearly that it did not do it, and why in its own words: nothing was made there. */
export class ProviderRefused extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
/** The provider did not say whether it did it: a time-out, a cut connection, an answer that cannot be read. It is asked by `find…` before anything is sent again. */
export class ProviderUnsure extends Error {}

/**
 * One way out. Every method throws {@link ProviderRefused} or {@link ProviderUnsure}. Issuing twice with one id
 * makes one invoice, or is refused; a `find` answers null only where there is certainly nothing.
 */
export type EInvoiceProvider = {
  readonly name: EInvoiceProviderName;
  /** Whether it takes numbers from its own account, not from the seller's tracks here. */
  readonly allotsNumbers: boolean;
  /** Proves address and keys; throws when they are wrong. */
  check(now: Date): Promise<{ isLive: boolean }>;
  issue(invoice: InvoiceToSend): Promise<IssuedInvoice>;
  findInvoice(invoice: InvoiceToSend): Promise<IssuedInvoice | null>;
  /** 作廢. `reason` has at most 20 characters. */
  voidInvoice(invoice: InvoiceToSend, issued: IssuedInvoice, reason: string, at: Date): Promise<void>;
  isVoided(invoice: InvoiceToSend, issued: IssuedInvoice): Promise<boolean>;
  /**
   * 註銷: takes an uploaded invoice back whose proof nobody holds, so that the same number can be issued anew with other
   * content. `reason` has at most 20 characters. Null where the provider has nothing like it.
   */
  readonly annulInvoice:
    | ((invoice: InvoiceToSend, issued: IssuedInvoice, reason: string, at: Date) => Promise<void>)
    | null;
  allow(allowance: AllowanceToSend): Promise<IssuedAllowance>;
  findAllowance(allowance: AllowanceToSend): Promise<IssuedAllowance | null>;
  voidAllowance(allowance: AllowanceToSend, issued: IssuedAllowance, reason: string, at: Date): Promise<void>;
  isAllowanceVoided(allowance: AllowanceToSend, issued: IssuedAllowance): Promise<boolean>;
  /** How far an invoice is on its way to the platform of the Ministry. */
  invoiceState(invoice: InvoiceToSend, issued: IssuedInvoice): Promise<UploadState>;
  /** Reports numbers that stay unused; null where the provider does it for its own tracks. */
  readonly reportUnused: ((unused: UnusedNumbers) => Promise<void>) | null;
};
