// Planning's sentences in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'planning.service_not_found': '找不到這項服務。',
  'planning.subscription_not_found': '找不到這項訂閱。',
  'planning.start_after_end': '開始月份不可晚於結束月份。',
  'planning.too_many_months': '一次最多試算 {{most}} 個月。',
  'planning.month_not_over': '只能試算已經結束的月份。',
  'planning.currency_differs': '價格必須使用這項服務的幣別（{{currency}}）。',
  'planning.csv_organization': '組織',
  'planning.csv_organization_id': '組織代碼',
  'planning.csv_currency': '幣別',
  'planning.csv_before': '原價',
  'planning.csv_after': '新價',
  'planning.csv_difference': '差額',
  'planning.csv_percent': '差額（%）',
  'planning.csv_before_month': '{{month}} 原價',
  'planning.csv_after_month': '{{month}} 新價',
} as const satisfies Record<keyof typeof enUS, string>;
