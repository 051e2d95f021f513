// Quotas's sentences in English.
export const enUS = {
  'quotas.subscription_not_found': 'There is no such subscription.',
  'quotas.notice_warning': '“{{service}}” has used {{percent}}% of its quota ({{used}} of {{limit}} {{unit}}).',
  'quotas.notice_critical': '“{{service}}” has used {{percent}}% of its quota ({{used}} of {{limit}} {{unit}}) and is about to run out.',
} as const;
