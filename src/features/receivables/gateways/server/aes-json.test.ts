// ECPay's encrypted JSON: published test vectors, and that what we write can be read back.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decryptData, encryptData, ExactNumber, jsonText } from './aes-json.ts';

const stage = { hashKey: 'ejCk326UnaZWKisg', hashIv: 'q9jcZX8Ib9LM8wYk' };

// ECPay-API-Skill 3.1, test-vectors/aes-encryption.json.
test.each([
  [
    stage,
    '{"MerchantID":"2000132","BarCode":"/1234567"}',
    'XeEOdHpTRvxKEqs/JD9RSd16s7VtpyWVCN6AV44pKTW3DVa6yI7vKmjBRp2eulDhXoru/qBqFDBH3fEqlkMn3bbJfJBfGAq+v+SvttutYnc=',
  ],
  [
    stage,
    `{"Name":"test!*'()~value"}`,
    'uvI4yrErM37XNQkXGAgRgBuDOiJoVs72Xn/rum9Ejl1DSna4HyLSoY7764PmhTR7JXb9jJWLSjCGcZEDeFiABg==',
  ],
  [stage, '{"N":"1234567890"}', 'gVwWJnIpl1m3ZDypcRAjiCctilYnQhHn4h8OzJP5IxQPov7HuysXX+jPONvrHS7Z'],
  [
    stage,
    '{"MerchantID":"2000132","ItemName":"綠界科技測試商品"}',
    'XeEOdHpTRvxKEqs/JD9RSd16s7VtpyWVCN6AV44pKTVKsXddZRgV+Cle9oeB2PqsEC2O0oDi4kObiCtdGznG9aAX69Kj0//VjGXhieBYZ3RuGW9v20xQyBevaBwtOvg1lYjlDw6jsgfToGMUvlGsIJ2DO6/tbXjNZumnRgj2GCSj7LLDRBU3KlkUWji16nO1',
  ],
  [
    stage,
    '{"Name":"Test","ID":"A123456789"}',
    'uvI4yrErM37XNQkXGAgRgJAgHn2t72jahaMZzYhWL1HmvH4WV18VJDP2i9pTbC+tby5nxVExLLFyAkbjbS2Dvg==',
  ],
])('%o encrypts %s as published', (keys, json, data) => {
  expect(encryptData(json, keys)).toBe(data);
  expect(decryptData(data, keys)).toBe(json);
});

test('any text can be decrypted by the other side', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const json = jsonText({ text: text.toWellFormed() });
      expect(decryptData(encryptData(json, stage), stage)).toBe(json);
    }),
  );
});

test('other keys decrypt nothing', () => {
  const data = encryptData('{"a":1}', stage);
  expect(() => JSON.parse(decryptData(data, { ...stage, hashKey: 'aaaaaaaaaaaaaaaa' })) as unknown).toThrow();
});

test('amounts and decimal numbers are unchanged, however large', () => {
  expect(
    jsonText({ Amount: 9_007_199_254_740_993n, Price: new ExactNumber('0.0000001'), List: [1, '二'] }),
  ).toBe('{"Amount":9007199254740993,"Price":0.0000001,"List":[1,"二"]}');
});
