// Push's texts in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'push.not_found': '找不到這個瀏覽器，可能已經移除。',
  'push.too_many': '最多可以登記 {{count}} 個瀏覽器。請先移除不再使用的。',
  'push.endpoint_refused': '這個推播位址無法使用：必須是公開網路上的 https 位址。請重新開啟推播。',
  'push.keys_wrong': '瀏覽器提供的金鑰無效。請關閉推播後重新開啟。',
  'push.title': '瀏覽器推播',
  'push.lead': '沒有開啟主控台的頁面時，也能在裝置上收到通知。',
  'push.explain':
    '開啟後，瀏覽器會詢問是否允許通知。推播的內容與下方偏好相同，只有這個瀏覽器能解密，隨時可以關閉。',
  'push.turn_on': '在這個瀏覽器開啟推播',
  'push.turn_off': '關閉',
  'push.turned_on': '已在這個瀏覽器開啟推播。',
  'push.turned_off': '已在這個瀏覽器關閉推播。',
  'push.is_on': '這個瀏覽器已開啟推播。',
  'push.failed': '無法開啟推播：{{reason}}。請檢查網路連線後再試一次。',
  'push.denied': '瀏覽器封鎖了這個網站的通知。',
  'push.allow_chromium': '請按網址列左側的網站設定圖示，將「通知」改為「允許」，再重新載入頁面。',
  'push.allow_firefox': '請按網址列左側的權限圖示，清除「傳送通知」的封鎖，再重新載入頁面。',
  'push.allow_safari': '請開啟「Safari 設定 → 網站 → 通知」，將這個網站改為「允許」，再重新載入頁面。',
  'push.allow_other': '請在瀏覽器的網站設定中允許通知，再重新載入頁面。',
  'push.hindrance_insecure': '推播需要 https 連線。請用 https 位址開啟主控台。',
  'push.hindrance_install':
    '在 iPhone 與 iPad 上，請先用「分享 → 加入主畫面」安裝主控台，再從主畫面開啟並設定推播。',
  'push.hindrance_unsupported': '這個瀏覽器不支援推播。請改用 Chrome、Edge、Firefox 或 Safari 的新版本。',
  'push.devices': '已登記的瀏覽器',
  'push.this_device': '目前使用中',
  'push.since': '{{when}} 登記',
  'push.last': '上次送達 {{when}}',
  'push.last_failed': '上次未送達：{{reason}}',
  'push.remove': '移除',
  'push.remove_named': '移除 {{device}}',
  'push.removed': '已移除這個瀏覽器。',
} as const satisfies Record<keyof typeof enUS, string>;
