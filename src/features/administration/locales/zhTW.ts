// Administration's sentences in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'administration.already_initialized': '系統已完成初始設定，請直接登入。',
  'administration.setup_token_wrong': '設定碼不正確，請使用伺服器啟動時顯示的設定網址。',
  'administration.import_not_found': '找不到這次匯入。',
  'administration.import_empty': '檔案沒有任何資料列。',
  'administration.import_columns_missing': '檔案缺少必要欄位：{{columns}}。',
  'administration.import_not_csv': '無法讀取 CSV 檔案：{{reason}}',
  'administration.import_finished': '這次匯入已經結束。',
  'administration.demo_missing': '這個安裝沒有附帶示範資料。',
  'administration.time_zone_unknown': '沒有這個時區，請使用如 Asia/Taipei 的名稱。',
  'administration.thresholds_crossed': '警告門檻必須低於嚴重門檻。',
  'administration.row_no_usage': '不是用量（抵用或調整），不計入用量。',
  'administration.row_no_price': '沒有定價或品項編號，無法計價。',
  'administration.row_no_quantity': '沒有可用的計價數量。',
  'administration.row_no_account': '沒有子帳號，不屬於任何組織。',
  'administration.row_currency_unknown': '不支援這個幣別。',
  'administration.row_time_invalid': '費用期間的時間格式不正確。',
} as const satisfies Record<keyof typeof enUS, string>;
