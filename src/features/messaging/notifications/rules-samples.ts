// A sample of every kind, to preview its e-mail. The sentences are the features' own; names in them are
// texts, too.
// used as: 'notifications.sample_*'
import { collectionSamples } from './rules-samples-collection.ts';
import { einvoiceSamples } from './rules-samples-einvoices.ts';
import { systemSamples } from './rules-samples-system.ts';
import type { TextParams } from '#kernel/text.ts';
import type { NotificationKind } from './rules-kinds.ts';

export type Sample = { readonly textKey: string; readonly params: TextParams; readonly link: string };

/** Whether a sample's parameter must be translated into the reader's language. */
export const isSampleText = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('notifications.sample_');

export const samples: Readonly<Record<NotificationKind, Sample>> = {
  'bill.issued': {
    textKey: 'payments.notice_bill_issued',
    params: { number: 'B-202610-000001', month: '2026-10', amount: '5273', currency: 'TWD' },
    link: '/billing/management?month=2026-10',
  },
  'bill.consolidated': {
    textKey: 'billing.notice_consolidated',
    params: { number: 'CB-202610-000001', month: '2026-10', amount: '15819', currency: 'TWD' },
    link: '/billing/management?month=2026-10',
  },
  'bill.paid': {
    textKey: 'payments.notice_bill_paid',
    params: { number: 'B-202610-000001', amount: '5273', currency: 'TWD' },
    link: '/billing/management?month=2026-10',
  },
  'bill.credited': {
    textKey: 'credits.notice_credited',
    params: { number: 'C-202610-000001', bill: 'B-202610-000001', amount: '5273', currency: 'TWD' },
    link: '/billing/management?month=2026-10',
  },
  'bill.void': {
    textKey: 'credits.notice_void',
    params: { number: 'B-202610-000001', reason: 'notifications.sample_reason' },
    link: '/billing/management?month=2026-10',
  },
  'bill.due_soon': {
    textKey: 'dunning.notice_due_soon',
    params: { number: 'B-202610-000001', amount: '5273', currency: 'TWD', date: '2026-11-15' },
    link: '/billing/management?month=2026-10',
  },
  'bill.overdue': {
    textKey: 'dunning.notice_overdue',
    params: { number: 'B-202610-000001', amount: '5273', currency: 'TWD', date: '2026-11-15' },
    link: '/billing/management?month=2026-10',
  },
  'dunning.past_due': {
    textKey: 'dunning.notice_past_due',
    params: { number: 'B-202610-000001', amount: '5273', currency: 'TWD', date: '2026-11-15' },
    link: '/billing/management?month=2026-10',
  },
  'dunning.suspend': {
    textKey: 'dunning.notice_suspended',
    params: { number: 'B-202610-000001', amount: '5273', currency: 'TWD', date: '2026-11-15' },
    link: '/billing/management?month=2026-10',
  },
  'dunning.resumed': { textKey: 'dunning.notice_resumed', params: {}, link: '/billing/management' },
  'payment.pending': {
    textKey: 'payments.notice_pending',
    params: { organization: 'notifications.sample_organization', amount: '5273', currency: 'TWD' },
    link: '/admin/payments',
  },
  'payment.settled': {
    textKey: 'payments.notice_payment_arrived',
    params: { number: 'B-202610-000001', amount: '5273', currency: 'TWD' },
    link: '/billing/management?view=payments',
  },
  'payment.excess': {
    textKey: 'payments.notice_excess',
    params: { number: 'B-202610-000001', amount: '5273', currency: 'TWD' },
    link: '/billing/management?view=payments',
  },
  'payment.mismatch': {
    textKey: 'payments.notice_mismatch',
    params: { organization: 'notifications.sample_organization', amount: '5273', currency: 'TWD' },
    link: '/admin/payments',
  },
  'payment.twice': {
    textKey: 'payments.notice_twice',
    params: { organization: 'notifications.sample_organization', amount: '5273', currency: 'TWD' },
    link: '/admin/payments',
  },
  'payment.disputed': {
    textKey: 'payments.notice_disputed',
    params: {
      organization: 'notifications.sample_organization',
      amount: '5273',
      currency: 'TWD',
      date: '2026-11-25',
    },
    link: '/admin/payments',
  },
  'payment.corrected': {
    textKey: 'payments.notice_corrected',
    params: { amount: '5273', currency: 'TWD', reason: 'notifications.sample_reason' },
    link: '/billing/management?view=payments',
  },
  'payment.refunded': {
    textKey: 'payments.notice_refunded',
    params: { amount: '5273', currency: 'TWD' },
    link: '/billing/management?view=payments',
  },
  'payment.automatic': {
    textKey: 'payments.notice_automatic',
    params: { number: 'B-202610-000001', amount: '5273', currency: 'TWD' },
    link: '/billing/management?view=payments',
  },
  'payment.automatic_short': {
    textKey: 'payments.notice_automatic_short',
    params: { number: 'B-202610-000001', amount: '5273', currency: 'TWD' },
    link: '/billing/management?month=2026-10',
  },
  ...collectionSamples,
  ...systemSamples,
  ...einvoiceSamples,
  'refund.failed': {
    textKey: 'payments.notice_refund_failed',
    params: { organization: 'notifications.sample_organization', amount: '5273', currency: 'TWD' },
    link: '/admin/payments',
  },
  'refund.unsure': {
    textKey: 'payments.notice_refund_unsure',
    params: { organization: 'notifications.sample_organization', amount: '5273', currency: 'TWD' },
    link: '/admin/payments',
  },
  'charge.awaiting_approval': {
    textKey: 'oneoffs.notice_awaiting_approval',
    params: {
      name: 'notifications.sample_charge',
      organization: 'notifications.sample_organization',
      by: 'notifications.sample_person',
      amount: '5273',
      currency: 'TWD',
    },
    link: '/admin/one-off-charges',
  },
  'charge.approved': {
    textKey: 'oneoffs.notice_approved',
    params: {
      name: 'notifications.sample_charge',
      organization: 'notifications.sample_organization',
      by: 'notifications.sample_person',
      amount: '5273',
      currency: 'TWD',
    },
    link: '/admin/one-off-charges',
  },
  'charge.rejected': {
    textKey: 'oneoffs.notice_rejected',
    params: {
      name: 'notifications.sample_charge',
      organization: 'notifications.sample_organization',
      by: 'notifications.sample_person',
      amount: '5273',
      currency: 'TWD',
      reason: 'notifications.sample_reason',
    },
    link: '/admin/one-off-charges',
  },
  'charge.withdrawn': {
    textKey: 'oneoffs.notice_withdrawn',
    params: {
      name: 'notifications.sample_charge',
      organization: 'notifications.sample_organization',
      by: 'notifications.sample_person',
      amount: '5273',
      currency: 'TWD',
      reason: 'notifications.sample_reason',
    },
    link: '/admin/one-off-charges',
  },
  'credit.granted': {
    textKey: 'creditgrants.notice_granted',
    params: { name: 'notifications.sample_credit', amount: '3000', currency: 'TWD' },
    link: '/billing/credits',
  },
  'credit.withdrawn': {
    textKey: 'creditgrants.notice_withdrawn_paid',
    params: {
      name: 'notifications.sample_credit',
      amount: '1250',
      currency: 'TWD',
      reason: 'notifications.sample_reason',
    },
    link: '/billing/credits',
  },
  'credit.topped_up': {
    textKey: 'creditgrants.notice_topped_up',
    params: { amount: '5000', currency: 'TWD' },
    link: '/billing/credits',
  },
  'credit.top_up_short': {
    textKey: 'creditgrants.notice_short_balance',
    params: { amount: '1200', currency: 'TWD' },
    link: '/billing/credits',
  },
  'credit.low': {
    textKey: 'creditgrants.notice_low',
    params: { amount: '800', currency: 'TWD', limit: '1000' },
    link: '/billing/credits',
  },
  'credit.used_up': {
    textKey: 'creditgrants.notice_used_up',
    params: { service: 'notifications.sample_service' },
    link: '/billing/credits',
  },
  'quote.sent': {
    textKey: 'quotes.notice_sent',
    params: { number: 'Q-202610-0001', day: '2026-11-30' },
    link: '/billing/credits',
  },
  'quote.accepted': {
    textKey: 'quotes.notice_accepted',
    params: {
      organization: 'notifications.sample_organization',
      number: 'Q-202610-0001',
      name: 'notifications.sample_person',
      amount: '120000',
      currency: 'TWD',
    },
    link: '/admin/quotes',
  },
  'quote.declined': {
    textKey: 'quotes.notice_declined',
    params: {
      organization: 'notifications.sample_organization',
      number: 'Q-202610-0001',
      name: 'notifications.sample_person',
      reason: 'notifications.sample_reason',
    },
    link: '/admin/quotes',
  },
  'quote.refused': {
    textKey: 'quotes.notice_refused',
    params: {
      organization: 'notifications.sample_organization',
      number: 'Q-202610-0001',
      reason: 'notifications.sample_reason',
    },
    link: '/admin/quotes',
  },
  'quote.expires_soon': {
    textKey: 'quotes.notice_expires_soon',
    params: {
      organization: 'notifications.sample_organization',
      number: 'Q-202610-0001',
      day: '2026-11-30',
    },
    link: '/admin/quotes',
  },
  'budget.actual': {
    textKey: 'budgets.notice_actual',
    params: {
      name: 'notifications.sample_budget',
      threshold: 80,
      percent: 82,
      limit: '6500',
      amount: '5273',
      currency: 'TWD',
    },
    link: '/billing/dashboard',
  },
  'budget.forecast': {
    textKey: 'budgets.notice_forecast',
    params: {
      name: 'notifications.sample_budget',
      threshold: 100,
      percent: 104,
      limit: '5000',
      amount: '5273',
      currency: 'TWD',
    },
    link: '/billing/dashboard',
  },
  'quota.Warning': {
    textKey: 'quotas.notice_warning',
    params: { service: 'notifications.sample_service', percent: 85, used: '850', limit: '1000', unit: 'GB' },
    link: '/billing/dashboard',
  },
  'quota.Critical': {
    textKey: 'quotas.notice_critical',
    params: { service: 'notifications.sample_service', percent: 96, used: '960', limit: '1000', unit: 'GB' },
    link: '/billing/dashboard',
  },
  'quota.recovered': {
    textKey: 'quotas.notice_recovered',
    params: { service: 'notifications.sample_service', percent: 64, used: '640', limit: '1000', unit: 'GB' },
    link: '/billing/dashboard',
  },
  'quota.runs_out': {
    textKey: 'quotas.notice_runs_out',
    params: { service: 'notifications.sample_service', days: 3, day: '2026-11-25' },
    link: '/billing/dashboard',
  },
  'quota.raise_asked': {
    textKey: 'quotas.notice_raise_asked',
    params: {
      organization: 'notifications.sample_organization',
      service: 'notifications.sample_service',
      limit: '2000',
      unit: 'GB',
    },
    link: '/admin/quotas',
  },
  'quota.raise_granted': {
    textKey: 'quotas.notice_raise_granted',
    params: { service: 'notifications.sample_service', limit: '2000', unit: 'GB', answer: '' },
    link: '/billing/dashboard',
  },
  'quota.raise_declined': {
    textKey: 'quotas.notice_raise_declined',
    params: {
      service: 'notifications.sample_service',
      limit: '2000',
      unit: 'GB',
      answer: 'notifications.sample_answer',
    },
    link: '/billing/dashboard',
  },
  'usage.unusual': {
    textKey: 'insights.notice_unusual',
    params: {
      service: 'notifications.sample_service',
      day: '2026-11-21',
      used: '420',
      low: '80',
      high: '160',
      unit: 'GB',
    },
    link: '/usage/statistics',
  },
  'security.viewed_as': {
    textKey: 'notifications.security_viewed_as',
    params: { admin: 'Operator', reason: '#1042' },
    link: '/user/notifications',
  },
  'security.new_device': {
    textKey: 'notifications.security_new_device',
    params: { device: 'Firefox', address: '203.0.113.7' },
    link: '/user/profile',
  },
  'security.password_changed': {
    textKey: 'notifications.security_password_changed',
    params: {},
    link: '/user/profile',
  },
  'security.authenticator_on': {
    textKey: 'notifications.security_authenticator_on',
    params: {},
    link: '/user/profile',
  },
  'security.authenticator_off': {
    textKey: 'notifications.security_authenticator_off',
    params: {},
    link: '/user/profile',
  },
  'security.codes_renewed': {
    textKey: 'notifications.security_codes_renewed',
    params: {},
    link: '/user/profile',
  },
  'security.recovery_code_used': {
    textKey: 'notifications.security_recovery_code_used',
    params: { left: 9 },
    link: '/user/profile',
  },
  'security.passkey_added': {
    textKey: 'notifications.security_passkey_added',
    params: {},
    link: '/user/profile',
  },
  'security.factors_removed': {
    textKey: 'notifications.security_factors_removed',
    params: {},
    link: '/user/profile',
  },
  'security.passkey_removed': {
    textKey: 'notifications.security_passkey_removed',
    params: {},
    link: '/user/profile',
  },
  'security.identity_linked': {
    textKey: 'notifications.security_identity_linked',
    params: { account: 'name@example.com' },
    link: '/user/profile',
  },
  'security.identity_unlinked': {
    textKey: 'notifications.security_identity_unlinked',
    params: { account: 'name@example.com' },
    link: '/user/profile',
  },
  'security.key_made': {
    textKey: 'notifications.security_key_made',
    params: { name: 'notifications.sample_key', by: 'notifications.sample_person' },
    link: '/user/profile',
  },
  'security.key_rotated': {
    textKey: 'notifications.security_key_rotated',
    params: { name: 'notifications.sample_key', by: 'notifications.sample_person' },
    link: '/user/profile',
  },
  'security.key_revoked': {
    textKey: 'notifications.security_key_revoked',
    params: { name: 'notifications.sample_key', by: 'notifications.sample_person' },
    link: '/user/profile',
  },
  announcement: {
    textKey: 'announcements.notice',
    params: { title: 'notifications.sample_title', text: 'notifications.sample_text' },
    link: '/',
  },
  'webhook.disabled': {
    textKey: 'webhooks.notice_off_gone',
    params: { url: 'https://hooks.example.com/skytally' },
    link: '/user/profile',
  },
  'catalogue.available': {
    textKey: 'catalogue.available_note',
    params: { name: 'notifications.sample_service' },
    link: '/service/overview',
  },
};
