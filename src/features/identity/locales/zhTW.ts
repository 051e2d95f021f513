// Identity's sentences in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'login.incorrect': '帳號或密碼錯誤',
  'identity.session_ended': '登入已結束，請重新登入。',
  'identity.wait': '登入失敗次數過多，請於 {{retryAfter}} 秒後再試。',
  'identity.password_wrong': '目前的密碼不正確。',
  'identity.account_taken': '這個帳號已經有人使用，請改用其他電子郵件。',
  'identity.user_not_found': '找不到這位使用者。',
  'identity.organization_not_found': '找不到這個組織。',
  'identity.key_not_found': '找不到這把 API 金鑰，可能已經撤銷。',
  'identity.session_not_found': '找不到這個登入工作階段，可能已經結束。',
  'identity.last_admin': '這是最後一位啟用中的管理員，請先指定另一位管理員。',
  'identity.organization_required': '這個角色必須屬於一個組織，請選擇組織。',
  'identity.password_too_short': '密碼至少需要 {{minimum}} 個字元。',
  'identity.tax_id_invalid': '統一編號不正確，請檢查這 8 位數字。',
  'identity.time_zone_unknown': '沒有這個時區，請使用如 Asia/Taipei 的名稱。',
  'identity.busy': '目前登入人數過多，請稍候幾秒再試。',
} as const satisfies Record<keyof typeof enUS, string>;
