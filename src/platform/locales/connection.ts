// The few sentences that must be there when nothing can be loaded; they travel with the code. Those of a
// language pack are its `connection.json`.
import { inLanguage, type ContentLanguage, type Language } from '#kernel/language.ts';

type ConnectionKey =
  | 'connection.loading'
  | 'connection.offline'
  | 'connection.away'
  | 'connection.recovering'
  | 'connection.still_shown'
  | 'connection.lost'
  | 'connection.timed_out'
  | 'connection.aborted'
  | 'connection.unreadable'
  | 'connection.invalid'
  | 'connection.failed'
  | 'connection.waiting'
  | 'connection.waiting_open'
  | 'connection.texts_missing'
  | 'connection.reload'
  | 'connection.contact';

export const builtInConnectionTexts: Record<ContentLanguage, Record<ConnectionKey, string>> = {
  zhTW: {
    'connection.loading': '載入中…',
    'connection.offline': '您目前離線。',
    'connection.away': '無法連線到伺服器。',
    'connection.recovering': '服務暫時中斷，正在重新連線。',
    'connection.still_shown': '已載入的內容仍可瀏覽，但可能不是最新的；恢復連線後會自動更新。',
    'connection.lost': '無法連線到伺服器，請檢查網路後再試一次。',
    'connection.timed_out': '伺服器太久沒有回應，請稍後再試。',
    'connection.waiting': '已送出，要等另一位管理員核准才會執行。',
    'connection.waiting_open': '查看',
    'connection.aborted': '已取消要求。',
    'connection.unreadable': '無法讀取伺服器的回應，頁面可能已有新版本，請重新整理。',
    'connection.invalid': '送出的內容不正確，請檢查後再試一次。',
    'connection.failed': '發生錯誤：伺服器未說明原因，請稍後再試。',
    'connection.texts_missing': '無法載入畫面文字，請檢查網路後重新整理。',
    'connection.reload': '重新整理',
    'connection.contact': '聯絡管理員：',
  },
  enUS: {
    'connection.loading': 'Loading…',
    'connection.offline': 'You are offline.',
    'connection.away': 'The server cannot be reached.',
    'connection.recovering': 'The service was interrupted. Reconnecting…',
    'connection.still_shown':
      'What is loaded can still be read, but may be out of date. It is brought up to date when the connection is back.',
    'connection.lost': 'The server cannot be reached. Check your connection and try again.',
    'connection.timed_out': 'The server took too long to answer. Please try again later.',
    'connection.waiting': 'Sent. It runs once another administrator approves it.',
    'connection.waiting_open': 'View',
    'connection.aborted': 'The request was cancelled.',
    'connection.unreadable':
      'The answer of the server could not be read. There may be a new version: reload the page.',
    'connection.invalid': 'What was sent is not valid. Check it and try again.',
    'connection.failed': 'Error occurred. The server did not say why; please try again later.',
    'connection.texts_missing':
      'The texts of this page could not be loaded. Check your connection and reload.',
    'connection.reload': 'Reload',
    'connection.contact': 'Contact the administrator: ',
  },
};

export type ConnectionTexts = Readonly<Record<ConnectionKey, string>>;
const packTexts = new Map<string, Partial<ConnectionTexts>>();

/** Registers the sentences of a language pack; call it before anything is displayed. */
export function registerConnectionTexts(code: string, texts: Partial<ConnectionTexts>): void {
  packTexts.set(code, texts);
}

/** The sentences in a language; those that its pack lacks are the fallback's. */
export const connectionTextsOf = (language: Language): ConnectionTexts => ({
  ...inLanguage(builtInConnectionTexts, language),
  ...packTexts.get(language),
});
export type { ConnectionKey };
