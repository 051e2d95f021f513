// Samples of the notices about e-invoices, for previews.
export const einvoiceSamples = {
  'einvoice.issued': {
    textKey: 'einvoices.notice_issued',
    params: { number: 'AB12345678', bill: 'B-202610-000001', amount: '5273', currency: 'TWD' },
    link: '/billing/management?month=2026-10',
  },
  'einvoice.voided': {
    textKey: 'einvoices.notice_voided',
    params: { number: 'AB12345678', bill: 'B-202610-000001', amount: '5273', currency: 'TWD' },
    link: '/billing/management?month=2026-10',
  },
  'einvoice.allowed': {
    textKey: 'einvoices.notice_allowed',
    params: { number: 'AB12345678', bill: 'B-202610-000001', amount: '500', currency: 'TWD' },
    link: '/billing/management?month=2026-10',
  },
  'einvoice.failed': {
    textKey: 'einvoices.notice_failed',
    params: {
      number: 'AB12345678',
      organization: 'notifications.sample_organization',
      reason: 'notifications.sample_reason',
    },
    link: '/admin/einvoices',
  },
  'einvoice.late': {
    textKey: 'einvoices.notice_late',
    params: { count: '3', number: 'AB12345678' },
    link: '/admin/einvoices',
  },
  'einvoice.numbers_low': {
    textKey: 'einvoices.notice_low',
    params: { month: '2026-11', left: '8' },
    link: '/admin/einvoices?view=tracks',
  },
} as const;
