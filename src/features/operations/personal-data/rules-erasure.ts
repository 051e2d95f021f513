// Rules of erasing people: what is deleted, what the law requires to keep, and how names are found in texts.
import type { LocalDay } from '#kernel/shape.ts';
import { dayMs } from '#kernel/durations.ts';
import type { BackupPlan } from '#features/operations/backups/contract.ts';

/**
 * Tables whose rows of an erased organization or person are deleted, children before their parents. All other
 * tables stay, because the books depend on them, with names replaced.
 */
export const deletedTables = [
  'account_email',
  'authenticator',
  'avatar',
  'known_device',
  'passkey',
  'push_subscription',
  'recovery_code',
  'saved_view',
  'service_interest',
  'session',
  'notification_digest',
  'notification',
  'notification_deleted',
  'notification_preference',
  'external_identity',
  'scim_member',
  'scim_user',
] as const;

/** Like {@link deletedTables}, but only for a whole organization: tables that its people share. */
export const deletedOfOrganization = [
  'webhook_attempt',
  'webhook_delivery',
  'webhook_endpoint',
  'scim_group',
  'mail_domain',
  'identity_provider_group',
  'identity_provider',
  'device_login',
  'invitation',
  'portal_link',
  'session_policy',
  'announcement',
  'bank_payer',
  'rejected_event',
] as const;

/**
 * Fields that keep their texts: documents, vouchers and books as issued, including accepted contracts and
 * signed files. The certificate counts them.
 */
export const frozenFields: ReadonlySet<string> = new Set([
  'bank_row.payer_account',
  'bank_row.payer_name',
  'bank_row.words',
  'bill.buyer',
  'bill.used_by_name',
  'bill_letterhead.seller',
  'bill_line.service_name',
  'einvoice.document',
  'einvoice.lines',
  'einvoice_allowance.document',
  'einvoice_bill.buyer',
  'journal_line.summary',
  'journal_voucher.summary',
  'licence.file',
  'payment.parties',
  'quote_version.content',
  'quote_version.offered',
  'retail_bill.buyer',
  'retail_bill.seller',
  'retail_bill_line.service_name',
]);

/** A text that identifies a person, and its replacement. */
export type Term = {
  readonly kind: 'email' | 'phone' | 'name' | 'address';
  readonly text: string;
  readonly instead: string;
};
export type NamedPerson = {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly phone: string;
  readonly address: string;
};

/** The end of an id, which distinguishes people without naming them. */
const tail = (id: string): string => id.slice(-8);
/** The name that replaces an erased person's. */
export const pseudonymOf = (id: string): string => `Erased ${tail(id)}`;
/** The code in {@link pseudonymOf}; undefined for the name of somebody who is not erased. */
export const codeOfPseudonym = (name: string): string | undefined => /^Erased (\w+)$/.exec(name)?.[1];

const leastLength = { email: 3, phone: 6, name: 2, address: 6 } as const;

/** The texts that identify a person, longest first, so that no part of a longer one is replaced before it. */
export function termsOf({ id, name, account, phone, address }: NamedPerson): Term[] {
  const all: Term[] = [
    { kind: 'email', text: account.trim(), instead: `erased-${tail(id)}@erased.invalid` },
    { kind: 'phone', text: phone.trim(), instead: '(erased)' },
    { kind: 'address', text: address.trim(), instead: '(erased)' },
    { kind: 'name', text: name.trim(), instead: pseudonymOf(id) },
  ];
  return all
    .filter(({ kind, text }) => text.length >= leastLength[kind] && !text.startsWith('erased '))
    .toSorted((one, other) => other.text.length - one.text.length);
}

const escaped = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, (sign) => `\\${sign}`);

/**
 * The pattern (PostgreSQL's advanced regular expressions, case-insensitive) that finds a term as a whole
 * word: an e-mail address not within a longer one, a number not within more digits, a name not within another
 * word.
 */
export function patternOf({ kind, text }: Pick<Term, 'kind' | 'text'>): string {
  const body = escaped(text);
  if (kind === 'email') return `(?<![A-Za-z0-9._%+-])${body}(?![A-Za-z0-9-]|\\.[A-Za-z0-9])`;
  if (kind === 'phone') return `(?<![0-9])${body}(?![0-9])`;
  const before = /^[A-Za-z0-9]/.test(text) ? '(?<![A-Za-z0-9])' : '';
  const after = /[A-Za-z0-9]$/.test(text) ? '(?![A-Za-z0-9])' : '';
  return `${before}${body}${after}`;
}

/** Whether a term is also searched for in other people's rows: only terms that two people hardly share. */
export const isUnique = ({ kind }: Term): boolean => kind === 'email' || kind === 'phone';

/** Whether a text contains one of the terms, as {@link patternOf} finds them in the database. */
export const holdsTerm = (text: string, terms: readonly Term[]): boolean =>
  terms.some((term) => new RegExp(patternOf(term), 'i').test(text));

/**
 * Until when a backup of the plan may still contain data that is erased now. Backups made on request are kept
 * for at least two weeks.
 */
export function heldByBackupsUntil(
  now: Date,
  { keepDaily, keepWeekly, keepMonthly }: BackupPlan,
  unscheduledDays: number,
): Date {
  // A month's newest backup is kept until that many later months have one: one more month than the number, of
  // 31 days each.
  const days = Math.max(
    keepDaily + 1,
    (keepWeekly + 1) * 7,
    keepMonthly === 0 ? 0 : (keepMonthly + 1) * 31,
    unscheduledDays,
  );
  return new Date(now.getTime() + days * dayMs);
}

/** For how many years books and vouchers are kept, after the end of the year to which they belong. */
export type BookYears = { readonly vouchers: number; readonly books: number };
/** Article 38 of Taiwan's Business Entity Accounting Act: vouchers five years, books and statements ten. */
export const initialBookYears: BookYears = { vouchers: 5, books: 10 };

/** The first day on which the books of a year no longer need to be kept. */
export const booksUntil = (lastYear: number, { vouchers, books }: BookYears): LocalDay =>
  `${lastYear + Math.max(vouchers, books) + 1}-01-01` as LocalDay;
