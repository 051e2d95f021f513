// Passwords, accounts and tax ids. A user can sign in no matter how their keyboard composes characters
// (Unicode normalization).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isMadeOfKnownWords,
  isPasswordCommon,
  isPasswordLongEnough,
  isTaxId,
  minimumPasswordLength,
  normalAccount,
  normalPassword,
  shortestPassword,
} from './rules.ts';

describe('passwords', () => {
  test('composed and decomposed spellings are the same password (reliability.md, check 6)', () => {
    for (const password of ['Zürich-Fußweg', '한국어 비밀번호', 'e\u0301tudes de piano', 'ﬁne-ligature']) {
      expect(normalPassword(password.normalize('NFC'))).toBe(normalPassword(password.normalize('NFD')));
    }
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (password) => {
        expect(normalPassword(password.normalize('NFD'))).toBe(normalPassword(password.normalize('NFC')));
        expect(normalPassword(normalPassword(password))).toBe(normalPassword(password));
      }),
    );
  });
  test('case, spaces and length count: passwords that differ late are different', () => {
    expect(normalPassword(' Ab ')).toBe(' Ab ');
    expect(normalPassword(`${'x'.repeat(100)}1`)).not.toBe(normalPassword(`${'x'.repeat(100)}2`));
  });
  test.each([
    ['12345678901', false],
    ['123456789012', true],
    ['密碼密碼密碼密碼密碼密', false],
    ['密碼密碼密碼密碼密碼密碼', true],
    ['😀'.repeat(11), false],
    ['😀'.repeat(12), true],
    ['e\u0301'.repeat(11), false],
    ['e\u0301'.repeat(12), true],
    ['            ', true],
    ['', false],
  ])('%j is long enough: %s', (password, is) => {
    expect(isPasswordLongEnough(password)).toBe(is);
    expect(minimumPasswordLength).toBe(12);
  });
});

describe('common passwords (reliability.md 2.A-5)', () => {
  const listed = new Set(['dragon', 'iloveyou1', 'q1w2e3r4', '12345678', 'correcthorse']);
  const isCommon = (password: string) => isPasswordCommon(password, (text) => listed.has(text));
  test.each([
    'dragon',
    'DRAGON',
    'ＤＲＡＧＯＮ',
    'dragon1',
    'dragon2024!!',
    '!!dragon!!',
    '12dragon',
    'dragon111111111111',
    'dragon123456789',
    'dragondragon',
    'iloveyou1',
    'iloveyou12',
    'q1w2e3r4t'.slice(0, 8),
    'q1w2e3r41!',
    '12345678',
    '123456781!',
    'aaaaaaaaaaaa',
    'ababababab',
    '            ',
    'abcdefghijkl',
    '0987654321'.slice(1),
    '天天天天天天天天天天天天',
  ])('%j is a common password', (password) => {
    expect(isCommon(password)).toBe(true);
  });
  test.each([
    'dragonfly in the reeds',
    'dragon83729104857261',
    'the correcthorse of mine',
    'qmvxtrhwpkzndjgb',
    '73914682057139',
    '密碼學家的早餐是豆漿與燒餅',
    ''.padEnd(1, 'x') + 'yzzy plugh 12345',
  ])('%j is not a common password', (password) => {
    expect(isCommon(password)).toBe(false);
  });
  test('a common password with a few digits and signs around it is one, too', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...listed),
        fc.string({ unit: fc.constantFrom(...Array.from('0123456789!?._- ')), maxLength: 6 }),
        fc.boolean(),
        (entry, signs, isBefore) => {
          expect(isCommon(isBefore ? signs + entry : entry + signs)).toBe(true);
        },
      ),
    );
  });
});

describe('passwords based on their owner (reliability.md 2.A-5)', () => {
  const known = ['skytally', 'billing.contact', '帳務聯絡人', '好客戶 Trading Ltd.'];
  test.each([
    'Skytally-2026!',
    'skytallyskytally',
    'billing.contact1234',
    'billingcontact99',
    'CONTACT@billing 7',
    '帳務聯絡人帳務聯絡人',
    'Trading-Trading-1',
    'skytally帳務聯絡人2026',
  ])('%j is based on the owner', (password) => {
    expect(isMadeOfKnownWords(password, known)).toBe(true);
  });
  test.each([
    'skytally counts my clouds',
    'the trading floor was empty',
    'unrelated words only',
    '我家的貓每天早上都叫我起床',
  ])('%j is not based on the owner', (password) => {
    expect(isMadeOfKnownWords(password, known)).toBe(false);
  });
  test('a second factor allows a shorter password', () => {
    expect([
      shortestPassword(12, false),
      shortestPassword(12, true),
      shortestPassword(64, true),
      shortestPassword(8, true),
    ]).toEqual([12, 8, 8, 8]);
  });
});

describe('account names', () => {
  test.each([
    [' A@X.com ', 'a@x.com'],
    ['Ａ＠ｘ．ｃｏｍ', 'a@x.com'],
    ['\u3000a@x.com\n', 'a@x.com'],
    ['K@x.com', 'k@x.com'],
    ['a@x.com.', 'a@x.com'],
    ['é@x.com', 'é@x.com'],
    ['e\u0301@x.com', 'é@x.com'],
  ])('%j is the account %s', (account, normal) => {
    expect(normalAccount(account)).toBe(normal);
  });
  test('a normal one is unchanged', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from('aA@.xXéÉＡ＠．ﬁ\u3000 \tßẞ'), 'e\u0301') }),
        (account) => {
          expect(normalAccount(normalAccount(account))).toBe(normalAccount(account));
        },
      ),
    );
  });
});

describe('統一編號 (domain.md, "Taiwan")', () => {
  test.each([
    ['04595257', true],
    ['12345675', true],
    ['22099131', true],
    ['12345678', false],
    ['00000000', false],
    // The seventh digit is 7: its product 28 counts as 10, or as one more.
    ['12345676', true],
    ['12345670', true],
    ['12345671', true],
    ['12345672', false],
    ['1234567', false],
    ['123456755', false],
    ['1234567a', false],
    [' 12345675', false],
    ['12345675\n', false],
    ['１２３４５６７５', false],
    ['-1234567', false],
    ['', false],
  ])('%j: %s', (text, is) => {
    expect(isTaxId(text)).toBe(is);
  });
  test('is checked with the table of weights, digit by digit', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 8, maxLength: 8 }), (digits) => {
        const weights = [1, 2, 1, 2, 1, 2, 4, 1];
        const products = digits.map((digit, index) => digit * (weights[index] ?? 0)).join('');
        const sum = Array.from(products, Number).reduce((total, digit) => total + digit, 0);
        const valid =
          digits.some((digit) => digit !== 0) && (sum % 5 === 0 || (digits[6] === 7 && (sum + 1) % 5 === 0));
        expect(isTaxId(digits.join(''))).toBe(valid);
      }),
    );
  });
});
