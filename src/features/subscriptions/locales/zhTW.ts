// Subscriptions's sentences in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'subscriptions.not_found': '找不到這項訂閱。',
  'subscriptions.service_not_available': '這項服務目前無法訂閱。',
  'subscriptions.already_subscribed': '貴組織已經訂閱這項服務。',
  'subscriptions.transition_refused': '這項訂閱目前的狀態無法執行此操作，請重新整理後再試。',
  'subscriptions.start_in_future': '開始時間不可晚於現在。',
  'subscriptions.organization_not_found': '找不到這個組織。',
} as const satisfies Record<keyof typeof enUS, string>;
