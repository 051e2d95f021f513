import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { e164, maxLetters, smsText } from './rules.ts';

describe('R-NOTE-02: phone numbers for gateways', () => {
  it.each([
    ['0912345678', '+886912345678'],
    ['0912-345-678', '+886912345678'],
    ['0912 345 678', '+886912345678'],
    ['+886912345678', '+886912345678'],
    ['+886 912-345-678', '+886912345678'],
    ['+886 0912 345 678', '+886912345678'],
    ['+886-(0)912-345-678', '+886912345678'],
    ['00886912345678', '+886912345678'],
    ['０９１２３４５６７８', '+886912345678'],
    ['(02) 2345-6789', '+886223456789'],
    ['+1 (415) 555-2671', '+14155552671'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    ['0081 90 1234 5678', '+819012345678'],
  ])('%s is %s', (written, number) => expect(e164(written)).toBe(number));

  it.each([
    '',
    ' ',
    '912345678',
    '0',
    '091234567',
    '09123456789',
    '+886812345',
    '+',
    '++886912345678',
    '+0912345678',
    '+8869123',
    '+1234567',
    '+1234567890123456',
    '0912345678x',
    'abc',
    '+886\u0000912345678',
    '0912345678,0987654321',
  ])('not a phone number: %j', (written) => expect(e164(written)).toBeUndefined());

  it('an accepted number is E.164, and unchanged when it is read again', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[+0-9 ().-]{0,24}$/), (written) => {
        const number = e164(written);
        if (number === undefined) return;
        expect(number).toMatch(/^\+[1-9]\d{7,14}$/);
        expect(e164(number)).toBe(number);
      }),
    );
  });

  it('a truncated text keeps characters whole', () => {
    expect(smsText('短')).toBe('短');
    const long = smsText('𠮷'.repeat(maxLetters + 1));
    expect([...long]).toHaveLength(maxLetters);
    expect(long.endsWith('𠮷…')).toBe(true);
    expect(smsText('字'.repeat(maxLetters))).toBe('字'.repeat(maxLetters));
  });
});
