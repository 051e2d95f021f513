// ECPay’s check code for ECPay’s published examples, and for cases that they leave out.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkMacValue, isCheckMacRight } from './check-mac.ts';

const common = {
  PaymentType: 'aio',
  ReturnURL: 'https://www.ecpay.com.tw/receive.php',
  ChoosePayment: 'ALL',
  EncryptType: '1',
  TradeDesc: '促銷方案',
};
const stage = ['pwFHCqoQZGmho4w6', 'EkRm7iFT261dpevs'] as const;

describe('ECPay’s check code', () => {
  it.each([
    [
      'of the documentation since 2023',
      {
        ...common,
        MerchantID: '3002607',
        MerchantTradeNo: 'ecpay20230312153023',
        MerchantTradeDate: '2023/03/12 15:30:23',
        ItemName: 'Apple iphone 15',
        TotalAmount: '30000',
      },
      stage,
      '6C51C9E6888DE861FD62FB1DD17029FC742634498FD813DC43D4243B5685B840',
    ],
    [
      'of the documentation before',
      {
        ...common,
        MerchantID: '2000132',
        MerchantTradeNo: 'ecpay20130312153023',
        MerchantTradeDate: '2013/03/12 15:30:23',
        ItemName: 'Apple iphone 7 手機殼',
        TotalAmount: '1000',
      },
      ['5294y06JbISpM5x9', 'v77hoKGq4kWxNNIS'],
      'CFA9BDE377361FBDD8F160274930E815D1A8A2E3E80CE7D404C45FC9A0A1E407',
    ],
  ] as const)('equals the published one %s', (_name, fields, [key, iv], expected) => {
    expect(checkMacValue(fields, key, iv)).toBe(expected);
    // The order of fields does not matter, nor does an existing code.
    expect(
      checkMacValue(
        { CheckMacValue: 'x', ...Object.fromEntries(Object.entries(fields).toReversed()) },
        key,
        iv,
      ),
    ).toBe(expected);
    expect(isCheckMacRight({ ...fields, CheckMacValue: expected }, key, iv)).toBe(true);
  });

  it('is wrong for any other field, value, key or code (2.H-122)', () => {
    const fields = { MerchantID: '3002607', RtnCode: '1', TradeAmt: '100' };
    const right = { ...fields, CheckMacValue: checkMacValue(fields, ...stage) };
    expect(isCheckMacRight(right, ...stage)).toBe(true);
    for (const wrong of [
      { ...right, TradeAmt: '1' },
      { ...right, SimulatePaid: '1' },
      { ...fields, CheckMacValue: '' },
      fields,
      { ...right, CheckMacValue: right.CheckMacValue.toLowerCase() },
      { ...right, CheckMacValue: right.CheckMacValue.slice(1) },
    ])
      expect(isCheckMacRight(wrong, ...stage)).toBe(false);
    expect(isCheckMacRight(right, stage[1], stage[0])).toBe(false);
  });

  it('encodes the signs that encoders treat differently as .NET does', () => {
    const written = createHash('sha256')
      .update('hashkey%3dk%26a%3d-_.!*()%7e%27+%2f%26hashiv%3dv')
      .digest('hex')
      .toUpperCase();
    expect(checkMacValue({ a: "-_.!*()~' /" }, 'k', 'v')).toBe(written);
  });
});
