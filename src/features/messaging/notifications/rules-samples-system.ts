// Samples of the notices about the console itself, for previews.
// used as: 'notifications.sample_*'
export const systemSamples = {
  'system.key_expires': {
    textKey: 'notifications.key_expires',
    params: { name: 'notifications.sample_key', days: 3, date: '2026-11-25' },
    link: '/user/profile',
  },
  'system.licence_ends': {
    textKey: 'licensing.notice_ends',
    params: { service: 'notifications.sample_service', machine: 'db-01', days: 30, date: '2026-12-22' },
    link: '/cloud-service/management',
  },
  'system.sandbox_unused': {
    textKey: 'sandboxes.notice_unused',
    params: { name: 'Partner', days: 7 },
    link: '/admin/sandboxes',
  },
  'system.backup_failed': { textKey: 'backups.notice_failed', params: {}, link: '/admin/backups' },
  'system.approval_waiting': {
    textKey: 'approvals.notice_waiting',
    params: { by: 'notifications.sample_person', call: 'notifications.sample_charge', subject: 'B-1' },
    link: '/admin/approvals',
  },
  'system.export_failed': {
    textKey: 'dataexports.notice_failed',
    params: {},
    link: '/admin/data-exports',
  },
  'system.unbilled': {
    textKey: 'reconciliation.notice_unbilled',
    params: { amount: '12800', currency: 'TWD', limit: '10000', count: 4 },
    link: '/admin/reconciliation',
  },
  'system.trial_ends': {
    textKey: 'subscriptions.notice_trial_ends',
    params: { service: 'notifications.sample_service', days: 3, date: '2026-11-25' },
    link: '/cloud-service/management',
  },
  'system.test': { textKey: 'notifications.test_message', params: {}, link: '/user/notifications' },
};
