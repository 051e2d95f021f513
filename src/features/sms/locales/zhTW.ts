// SMS's sentences in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'sms.off': '尚未設定簡訊閘道，或已停用。請先儲存並啟用。',
  'sms.gateway_refused': '簡訊閘道拒絕了這則簡訊：{{reason}}',
  'sms.gateway_silent': '簡訊閘道沒有正常回應：{{reason}}。請檢查位址，稍後再試。',
  'sms.number_wrong': '這不是有效的電話號碼。請輸入例如 0912345678 或 +886912345678。',
  'sms.url_unsafe': '位址必須以 https:// 開頭（只有本機可用 http://），且不含帳號密碼。',
  'sms.account_missing': 'Twilio 需要帳號 SID。',
  'sms.from_missing': 'Twilio 需要發送號碼。',
  'sms.from_environment': '簡訊閘道由環境變數 SMS_GATEWAY_URL 設定，無法在此更改。請修改環境變數並重新啟動。',
  'sms.test_text': '這是主控台的測試簡訊。收到代表簡訊通知已可使用。',
} as const satisfies Record<keyof typeof enUS, string>;
