// Quotas's sentences in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'quotas.subscription_not_found': '找不到這項訂閱。',
  'quotas.notice_warning': '「{{service}}」用量已達配額的 {{percent}}%（{{used}}／{{limit}} {{unit}}）。',
  'quotas.notice_critical': '「{{service}}」用量已達配額的 {{percent}}%（{{used}}／{{limit}} {{unit}}），即將用完。',
} as const satisfies Record<keyof typeof enUS, string>;
