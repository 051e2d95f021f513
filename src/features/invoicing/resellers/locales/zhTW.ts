// Resellers' texts in Traditional Chinese.
import type { TextsLike } from '#kernel/text.ts';
import type { enUS } from './enUS.ts';

export const zhTW = {
  'resellers.not_found': '沒有這個經銷商。',
  'resellers.bill_not_found': '沒有這張帳單。',
  'resellers.not_reseller': '您的組織不是經銷商。',
  'resellers.organization_not_found': '這個組織已不存在，請選擇其他組織。',
  'resellers.organization_closed': '這個組織已關閉，請選擇使用中的組織。',
  'resellers.organization_resold': '這個組織由經銷商銷售，不能自己成為經銷商。請先結束經銷關係。',
  'resellers.reseller_not_found': '這個組織不是經銷商，請從清單選擇。',
  'resellers.stopped': '「{{name}}」不再接受新客戶。請選擇其他經銷商，或讓它恢復銷售。',
  'resellers.is_reseller': '這個組織本身就是經銷商，請選擇其他組織。',
  'resellers.month_begun': '已開始的月份價格不變，請選擇 {{month}} 或之後的月份。',
  'resellers.service_not_found': '這項服務已不存在，請從清單移除。',
  'resellers.service_twice': '這項服務重複了，請只留一項。',
  'resellers.charge_no_amount': '這個計費項目沒有單一金額，請改為設定整項服務的百分比。',
  'resellers.paid_too_late': '請選擇今天或更早的日期。',
  'resellers.sold_by_reseller': '您的服務由「{{seller}}」出帳，請洽「{{seller}}」。',
} as const satisfies TextsLike<typeof enUS>;
