// Every kind of notification: its category, whether its e-mail is mandatory, and its channels.
import { channels, type Category, type Channel } from './contract.ts';

export type KindRule = {
  readonly category: Category;
  /**
   * Whether the e-mail is sent regardless of preferences and quiet hours, because another person may be using
   * the account.
   */
  readonly isLocked: boolean;
  /** The channels by which it is sent if the reader's preferences allow its category there. */
  readonly channels: readonly Channel[];
};

const kind = <C extends Category>(category: C, ways: readonly Channel[], isLocked = false) => ({
  category,
  channels: ways,
  isLocked,
});
/** Kinds that cost money or interrupt service when overlooked; only these are sent by SMS. */
const urgent = channels;
const usual = ['email', 'push'] as const;
/** Good news that needs no action. */
const light = ['push'] as const;

export const kinds = {
  'bill.issued': kind('billing', usual),
  'bill.consolidated': kind('billing', usual),
  'bill.paid': kind('billing', usual),
  'bill.credited': kind('billing', usual),
  'bill.void': kind('billing', usual),
  'bill.due_soon': kind('billing', usual),
  'bill.overdue': kind('billing', urgent),
  'dunning.past_due': kind('billing', urgent),
  'dunning.suspend': kind('billing', urgent),
  'dunning.resumed': kind('billing', usual),
  'payment.pending': kind('billing', usual),
  'payment.settled': kind('billing', usual),
  'payment.excess': kind('billing', usual),
  'payment.mismatch': kind('billing', usual),
  'payment.twice': kind('billing', usual),
  'payment.disputed': kind('billing', urgent),
  'payment.corrected': kind('billing', usual),
  'payment.refunded': kind('billing', usual),
  'payment.automatic': kind('billing', usual),
  'payment.automatic_short': kind('billing', urgent),
  'collection.declined': kind('billing', usual),
  'collection.stopped': kind('billing', urgent),
  'collection.confirm': kind('billing', urgent),
  'plan.agreed': kind('billing', usual),
  'plan.missed': kind('billing', urgent),
  'plan.ended': kind('billing', urgent),
  'latefee.charged': kind('billing', usual),
  'latefee.waived': kind('billing', usual),
  'topup.stopped': kind('billing', urgent),
  'topup.capped': kind('billing', urgent),
  'creditlimit.near': kind('billing', usual),
  'creditlimit.reached': kind('billing', urgent),
  'creditlimit.kept_paused': kind('billing', urgent),
  'creditlimit.customer': kind('billing', usual),
  'card.expiring': kind('billing', usual),
  'refund.failed': kind('billing', usual),
  'refund.unsure': kind('billing', usual),
  'charge.awaiting_approval': kind('billing', usual),
  'charge.approved': kind('billing', light),
  'charge.rejected': kind('billing', usual),
  'charge.withdrawn': kind('billing', usual),
  'credit.granted': kind('billing', usual),
  'credit.withdrawn': kind('billing', usual),
  'credit.topped_up': kind('billing', usual),
  'credit.top_up_short': kind('billing', urgent),
  'credit.low': kind('billing', usual),
  'credit.used_up': kind('billing', urgent),
  'quote.sent': kind('billing', usual),
  'quote.accepted': kind('billing', usual),
  'quote.declined': kind('billing', usual),
  'quote.refused': kind('billing', usual),
  'quote.expires_soon': kind('billing', usual),
  'einvoice.issued': kind('billing', usual),
  'einvoice.voided': kind('billing', usual),
  'einvoice.allowed': kind('billing', usual),
  'einvoice.failed': kind('billing', usual),
  'einvoice.late': kind('billing', urgent),
  'einvoice.numbers_low': kind('billing', usual),
  'budget.actual': kind('billing', usual),
  'budget.forecast': kind('billing', usual),

  'quota.Warning': kind('usage', usual),
  'quota.Critical': kind('usage', urgent),
  'quota.recovered': kind('usage', light),
  'quota.runs_out': kind('usage', usual),
  'quota.raise_asked': kind('usage', usual),
  'quota.raise_granted': kind('usage', usual),
  'quota.raise_declined': kind('usage', usual),
  'usage.unusual': kind('usage', usual),

  'security.new_device': kind('security', urgent, true),
  'security.viewed_as': kind('security', urgent, true),
  'security.password_changed': kind('security', urgent, true),
  'security.authenticator_on': kind('security', usual, true),
  'security.authenticator_off': kind('security', urgent, true),
  'security.codes_renewed': kind('security', usual, true),
  'security.recovery_code_used': kind('security', urgent, true),
  'security.passkey_added': kind('security', usual, true),
  'security.passkey_removed': kind('security', usual, true),
  'security.factors_removed': kind('security', urgent, true),
  'security.identity_linked': kind('security', usual, true),
  'security.identity_unlinked': kind('security', usual, true),
  'security.key_made': kind('security', usual, true),
  'security.key_rotated': kind('security', usual, true),
  'security.key_revoked': kind('security', usual, true),

  announcement: kind('system', usual),
  'webhook.disabled': kind('system', usual),
  'system.key_expires': kind('system', usual),
  'system.licence_ends': kind('system', usual),
  'system.sandbox_unused': kind('system', usual),
  'system.backup_failed': kind('system', urgent),
  'system.export_failed': kind('system', usual),
  'system.unbilled': kind('system', usual),
  'system.trial_ends': kind('system', usual),
  'catalogue.available': kind('system', usual),
  'system.approval_waiting': kind('system', usual),
  'system.test': kind('system', channels),
} as const satisfies Record<string, KindRule>;

export type NotificationKind = keyof typeof kinds;
/** The kinds of one category: a notice with the wrong category does not compile. */
export type KindOf<C extends Category> = {
  [K in NotificationKind]: (typeof kinds)[K]['category'] extends C ? K : never;
}[NotificationKind];

export const allKinds = Object.keys(kinds) as NotificationKind[];
/** Whether a text names a kind. */
export const isKind = (name: string): name is NotificationKind => Object.hasOwn(kinds, name);
