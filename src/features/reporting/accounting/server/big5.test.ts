// Big5: the output is decoded to the same text by every Big5 decoder.
import { describe, expect, it } from 'vitest';
import { zhTW as books } from '#features/reporting/books/locales/zhTW.ts';
import { zhTW as accounting } from '../locales/zhTW.ts';
import { big5Of, notInBig5 } from './big5.ts';

describe('T-ACC: Big5', () => {
  it('writes the bytes of the standard', () => {
    expect(Buffer.from(big5Of('A一中，應收帳款€')).toString('hex')).toBe(
      '41a440a4a4a141c0b3a6acb162b4daa3e1',
    );
    // Twice in Big5: the first and, of six, the later pair (WHATWG, "index Big5 pointer").
    expect(Buffer.from(big5Of('十兀')).toString('hex')).toBe('a451a461');
  });
  it('reads back what it wrote', () => {
    const text = '傳票日期、傳票號碼、借貸別、科目代號、摘要、金額、部門：銷項稅額 5%（雲端）';
    expect(new TextDecoder('big5', { fatal: true }).decode(big5Of(text))).toBe(text);
  });
  it('names each missing character once, including those only in the Hong Kong extension', () => {
    expect(notInBig5(['現金', '綫😀', '😀é'])).toEqual(['綫', '😀', 'é']);
    expect(() => big5Of('é')).toThrow('é');
  });
  it('has every character that the console itself writes into vouchers', () => {
    const texts = [
      ...Object.entries(accounting).filter(([key]) => /^accounting\.(summary|column_)/.test(key)),
      ...Object.entries(books).filter(([key]) => /^books\.(kind|account)_/.test(key)),
    ].map(([, text]) => text);
    expect(texts.length).toBeGreaterThan(20);
    expect(notInBig5(texts)).toEqual([]);
  });
});
