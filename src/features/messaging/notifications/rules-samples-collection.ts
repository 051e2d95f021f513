// Samples of the notices about saved cards, for previews.
export const collectionSamples = {
  'collection.declined': {
    textKey: 'collection.notice_declined',
    params: {
      number: 'B-202610-000001',
      amount: '5273',
      currency: 'TWD',
      last4: '4242',
      date: '2026-11-16',
    },
    link: '/billing/management?month=2026-10',
  },
  'collection.stopped': {
    textKey: 'collection.notice_stopped',
    params: { number: 'B-202610-000001', amount: '5273', currency: 'TWD', last4: '4242' },
    link: '/billing/management?month=2026-10',
  },
  'collection.confirm': {
    textKey: 'collection.notice_confirm',
    params: { number: 'B-202610-000001', amount: '5273', currency: 'TWD', last4: '4242' },
    link: '/billing/management?month=2026-10',
  },
  'plan.agreed': {
    textKey: 'plans.notice_agreed',
    params: { amount: '3500', currency: 'TWD', date: '2026-12-15' },
    link: '/billing/management?month=2026-10',
  },
  'plan.missed': {
    textKey: 'plans.notice_missed',
    params: { amount: '3500', currency: 'TWD', date: '2026-12-15', until: '2026-12-18' },
    link: '/billing/management?month=2026-10',
  },
  'plan.ended': {
    textKey: 'plans.notice_over',
    params: { amount: '3500', currency: 'TWD', date: '2026-12-15', until: '2026-12-18' },
    link: '/billing/management?month=2026-10',
  },
  'latefee.charged': {
    textKey: 'latefees.notice_charged',
    params: { number: 'B-202610-000001', amount: '45', currency: 'TWD' },
    link: '/billing/credits',
  },
  'latefee.waived': {
    textKey: 'latefees.notice_waived',
    params: { number: 'B-202610-000001', amount: '45', currency: 'TWD' },
    link: '/billing/credits',
  },
  'topup.stopped': {
    textKey: 'topups.notice_stopped',
    params: { amount: '5000', currency: 'TWD', last4: '4242' },
    link: '/billing/management',
  },
  'topup.capped': {
    textKey: 'topups.notice_capped',
    params: { amount: '20000', currency: 'TWD' },
    link: '/billing/management',
  },
  'creditlimit.near': {
    textKey: 'creditlimits.notice_near',
    params: { amount: '82000', currency: 'TWD', limit: '100000' },
    link: '/billing/management',
  },
  'creditlimit.reached': {
    textKey: 'creditlimits.notice_reached',
    params: { amount: '100500', currency: 'TWD', limit: '100000' },
    link: '/billing/management',
  },
  'creditlimit.kept_paused': {
    textKey: 'creditlimits.notice_kept_paused',
    params: { service: 'notifications.sample_service', currency: 'TWD', limit: '100000' },
    link: '/cloud-service/management',
  },
  'creditlimit.customer': {
    textKey: 'creditlimits.notice_customer',
    params: { name: 'notifications.sample_organization', amount: '100500', currency: 'TWD', limit: '100000' },
    link: '/admin/organizations',
  },
  'card.expiring': {
    textKey: 'collection.notice_expiring',
    params: { last4: '4242', date: '2026-12-31' },
    link: '/billing/management',
  },
} as const;
