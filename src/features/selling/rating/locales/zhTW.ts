// Rating's texts in Traditional Chinese.
import type { TextsLike } from '#kernel/text.ts';
import type { enUS } from './enUS.ts';

export const zhTW = {
  'rating.tiers_wrong': '級距上限必須由小到大、前後相接，且只有最後一級沒有上限。',
  'rating.package_size_zero': '每組的數量必須大於 0。',
  'rating.maximum_below_minimum': '最高消費不能低於最低消費。',
  'rating.event_maximum_below_minimum': '每筆最高收費不能低於每筆最低收費。',
  'rating.rate_twice': '有兩個費率的條件相同，請修改或移除其中一個。',
  'rating.no_rate': '沒有適用於 {{values}} 的費率。請新增這個費率，或新增一個沒有條件的費率給其他情況。',
  'rating.key_twice': '已有其他計費項目使用這個代碼，每個計費項目的代碼不能重複。',
  'rating.meter_needed': '用量計費需要計量項目，請選擇要計量什麼。',
  'rating.meter_unwanted': '只有用量計費才有計量項目。請移除，或改為用量計費。',
  'rating.model_needs_usage': '這種計價方式用於用量，固定費用請選擇其他方式。',
  'rating.advance_needs_fee': '用量在期末才知道，請改為後付。',
  'rating.usage_missing': '請填寫用量，或列出幾筆事件。',
  'rating.step_percentage': '抽成',
  'rating.step_percentage_note': '{{amount}} × {{percent}}%',
  'rating.step_free_events': '免費',
  'rating.step_event_fee': '每筆固定費',
  'rating.step_event_fee_note': '{{events}} × {{price}}',
  'rating.step_event_minimum': '補足每筆最低收費',
  'rating.step_event_maximum': '扣除超過每筆最高收費的部分',
  'rating.step_event_limit_note': '{{count}} 筆，每筆 {{price}}',
  'rating.step_dynamic': '事件金額合計',
  'rating.step_sentence': '{{step}}：{{note}} = {{amount}}',
  'rating.step_sentence_plain': '{{step}}：{{amount}}',
  'rating.everything_else': '其他',
  'rating.step_for': '{{step}}（{{values}}）',
} as const satisfies TextsLike<typeof enUS>;
