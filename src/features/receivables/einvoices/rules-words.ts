// Words that statutory papers and messages are written in whatever language the console is in, and the words of other sides: the law and the
// providers say them so, which is why they are no sentences of ours in locales/. Source of the proof's: 「電子發票實施作業要點」, appendix 一.

/** The words of the printed proof and of a company's details below it. */
export const proofWords = {
  title: '電子發票證明聯',
  copy: '電子發票證明聯補印',
  /** 格式 25: input tax can be deducted with it. */
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

/** The unit of what is counted as one whole. */
export const wholeUnit = '式';

/** Signs that separate fields at the other side, and what is written in their place. */
export const fullWidth = { colon: '：', bar: '／' } as const;

/** Why an upload failed, where the other side gives a state and no words. */
export const failureWords = {
  upload: '上傳失敗',
  receipt: '財政部平台接收失敗',
  turnkey: '平台接收失敗，原因請見 Turnkey 的訊息紀錄',
} as const;

/** A period as Taiwan writes it in years of the Republic: `115年11-12月`. */
export function periodWords(period: string): string {
  const [year, month] = [Number(period.slice(0, 4)) - 1911, Number(period.slice(5))];
  return `${year}年${String(month).padStart(2, '0')}-${String(month + 1).padStart(2, '0')}月`;
}
