// Insights' sentences in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'insights.hours_too_long': '以小時檢視時，期間最多 {{days}} 天。',
  'insights.subscription_not_found': '找不到這項訂閱。',
  'insights.day_not_judged': '這一天還沒有到。',

  'insights.day': '日期',
  'insights.csv_hour': '小時起始（UTC）',
  'insights.group': '分組',
  'insights.quantity': '用量',
  'insights.csv_unit': '單位',
  'insights.cost': '費用',
  'insights.csv_currency': '幣別',
  'insights.group_none': '無',
  'insights.group_untagged': '無標籤',
  'insights.group_import': '匯入',
  'insights.group_other': '其他值',
  'insights.group_unshared': '無法分攤',
} as const satisfies Record<keyof typeof enUS, string>;
