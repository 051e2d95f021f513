// Passwords, accounts and tax ids: who a person is does not depend on how their keyboard composes letters.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPasswordLongEnough, isTaxId, minimumPasswordLength, normalAccount, normalPassword } from './rules.ts';

describe('passwords', () => {
  test('composed and decomposed spellings are one password (reliability.md, check 6)', () => {
    for (const password of ['Zürich-Fußweg', '한국어 비밀번호', 'e\u0301tudes de piano', 'ﬁne-ligature']) {
      expect(normalPassword(password.normalize('NFC'))).toBe(normalPassword(password.normalize('NFD')));
    }
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (password) => {
      expect(normalPassword(password.normalize('NFD'))).toBe(normalPassword(password.normalize('NFC')));
      expect(normalPassword(normalPassword(password))).toBe(normalPassword(password));
    }));
  });
  test('case, spaces and length are kept: two passwords that differ late are two', () => {
    expect(normalPassword(' Ab ')).toBe(' Ab ');
    expect(normalPassword(`${'x'.repeat(100)}1`)).not.toBe(normalPassword(`${'x'.repeat(100)}2`));
  });
  test.each([['12345678901', false], ['123456789012', true], ['密碼密碼密碼密碼密碼密', false], ['密碼密碼密碼密碼密碼密碼', true], ['😀'.repeat(11), false], ['😀'.repeat(12), true], ['e\u0301'.repeat(11), false], ['e\u0301'.repeat(12), true], ['            ', true], ['', false]])('%j is long enough: %s', (password, is) => {
    expect(isPasswordLongEnough(password)).toBe(is);
    expect(minimumPasswordLength).toBe(12);
  });
});

describe('accounts', () => {
  test.each([[' A@X.com ', 'a@x.com'], ['Ａ＠ｘ．ｃｏｍ', 'a@x.com'], ['\u3000a@x.com\n', 'a@x.com'], ['K@x.com', 'k@x.com'], ['é@x.com', 'é@x.com'], ['e\u0301@x.com', 'é@x.com']])('%j is the account %s', (account, normal) => {
    expect(normalAccount(account)).toBe(normal);
  });
  test('what is normal stays as it is', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...Array.from('aA@.xXéÉＡ＠．ﬁ\u3000 \tßẞ'), 'e\u0301') }), (account) => {
      expect(normalAccount(normalAccount(account))).toBe(normalAccount(account));
    }));
  });
});

describe('統一編號 (domain.md, "Taiwan")', () => {
  test.each([
    ['04595257', true], ['12345675', true], ['22099131', true], ['12345678', false], ['00000000', false],
    // The seventh digit is 7: its product 28 counts as 10, or as one more.
    ['12345676', true], ['12345670', true], ['12345671', true], ['12345672', false],
    ['1234567', false], ['123456755', false], ['1234567a', false], [' 12345675', false], ['12345675\n', false], ['１２３４５６７５', false], ['-1234567', false], ['', false],
  ])('%j: %s', (text, is) => {
    expect(isTaxId(text)).toBe(is);
  });
  test('by the table of weights, digit by digit', () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 8, maxLength: 8 }), (digits) => {
      const weights = [1, 2, 1, 2, 1, 2, 4, 1];
      const products = digits.map((digit, index) => digit * (weights[index] ?? 0)).join('');
      const sum = Array.from(products, Number).reduce((total, digit) => total + digit, 0);
      const valid = digits.some((digit) => digit !== 0) && (sum % 5 === 0 || (digits[6] === 7 && (sum + 1) % 5 === 0));
      expect(isTaxId(digits.join(''))).toBe(valid);
    }));
  });
});
