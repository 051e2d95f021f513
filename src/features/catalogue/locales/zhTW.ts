// Catalogue's sentences in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'catalogue.service_not_found': '找不到這項服務。',
  'catalogue.tiers_wrong': '級距的上限必須逐級增加，而且只有最後一級沒有上限。',
  'catalogue.package_size_zero': '每包的數量必須大於 0。',
  'catalogue.property_needed': '計算不重複數量時，請指定事件資料的屬性名稱。',
  'catalogue.quota_zero': '配額必須大於 0。',
  'catalogue.still_used': '這項服務有人訂閱過，無法刪除，請改為停用。',
} as const satisfies Record<keyof typeof enUS, string>;
