// Texts of statutory documents and messages, which do not depend on the console's language, and terms of
// external systems: prescribed by law and by the providers, so they are not translated in locales/. Source of
// the proof's texts: 「電子發票實施作業要點」, appendix 一.

/** The texts of the printed proof and of a company's details below it. */
export const proofWords = {
  title: '電子發票證明聯',
  copy: '電子發票證明聯補印',
  /** 格式 25: allows deducting input tax. */
  format: '格式 25',
  randomCode: '隨機碼',
  total: '總計',
  seller: '賣方',
  buyer: '買方',
  returns: '退貨憑電子發票證明聯正本辦理',
  details: '交易明細如下',
  count: (items: number): string => `合計 ${items} 項`,
  sales: { taxable: '應稅銷售額', zero_rated: '零稅率銷售額', exempt: '免稅銷售額' },
  tax: '稅額',
  remark: '備註',
  /** `115年11-12月` */
  period: (rocYear: number, first: string, last: string): string => `${rocYear}年${first}-${last}月`,
} as const;

/** The unit of something sold as one whole. */
export const wholeUnit = '式';

/** Characters that separate fields in the external system, and their replacements. */
export const fullWidth = { colon: '：', bar: '／' } as const;

/** Why an upload failed, if the external system returns a state without a message. */
export const failureWords = {
  upload: '上傳失敗',
  receipt: '財政部平台接收失敗',
  turnkey: '平台接收失敗，原因請見 Turnkey 的訊息紀錄',
} as const;

/** A period in years of the Republic of China: `115年11-12月`. */
export function periodWords(period: string): string {
  const [year, month] = [Number(period.slice(0, 4)) - 1911, Number(period.slice(5))];
  return `${year}年${String(month).padStart(2, '0')}-${String(month + 1).padStart(2, '0')}月`;
}
