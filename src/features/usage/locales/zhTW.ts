// Usage's sentences in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'usage.malformed': '無法讀取內容，請送出 JSON 格式的 CloudEvents。',
  'usage.batch_too_large': '一次最多 {{largest}} 個事件，請分批送出。',
  'usage.event_malformed': '事件不符合 CloudEvents 1.0：需要 specversion、id、source、type，時間須為 RFC 3339。',
  'usage.subscription_unknown': 'subject 不是這把金鑰可以使用的訂閱編號。',
  'usage.subscription_not_running': '事件發生時，這項訂閱並未生效。',
  'usage.event_type_unknown': '這項訂閱的計量不接受這種事件類型。',
  'usage.time_in_future': '事件時間比現在晚超過 5 分鐘。',
  'usage.value_no_decimal': 'data.value 必須是十進位數字（最多 12 位小數）。',
  'usage.conflict': '相同 source 與 id 的事件已存在，但內容不同。',
  'usage.start_after_end': '開始日期不可晚於結束日期。',
  'usage.range_too_long': '查詢期間不可超過 3 個月。',
  'usage.subscription_not_found': '找不到這項訂閱。',
} as const satisfies Record<keyof typeof enUS, string>;
