// Notices are stored as raw figures and formatted for the reader.
import { expect, test } from 'vitest';
import { folded } from './rules-search.ts';
import { readable, subjectOf } from './rules.ts';

test.each([
  [
    'zhTW',
    { number: 'B-202610-000001', amount: '5273', currency: 'TWD' },
    { number: 'B-202610-000001', amount: 'NT$5,273', currency: 'TWD' },
  ],
  ['zhTW', { amount: '1234.50', currency: 'USD' }, { amount: 'US$1,234.50', currency: 'USD' }],
  ['enUS', { amount: '-1234.50', currency: 'USD' }, { amount: '-$1,234.50', currency: 'USD' }],
  [
    'enUS',
    { service: '1000', percent: 95.5, used: '950000.25', limit: '1000000', unit: 'GB' },
    { service: '1000', percent: 95.5, used: '950,000.25', limit: '1,000,000', unit: 'GB' },
  ],
  ['zhTW', { title_zhTW: '維護', title_enUS: 'Maintenance' }, { title: '維護', title_enUS: 'Maintenance' }],
  ['enUS', { title_zhTW: '維護', title_enUS: '100' }, { title_zhTW: '維護', title: '100' }],
  [
    'zhTW',
    { amount: '4085', limit: '5000', currency: 'TWD', month: '2026-10', date: '2026-11-15' },
    { amount: 'NT$4,085', limit: 'NT$5,000', currency: 'TWD', month: '2026年10月', date: '2026年11月15日' },
  ],
  [
    'enUS',
    { month: '2026-10', day: '2026-11-15', date: 'soon', number: '2026-10' },
    { month: 'Oct 2026', day: 'Nov 15, 2026', date: 'soon', number: '2026-10' },
  ],
  ['zhTW', { amount: '5', currency: 'XXX', reason: '' }, { amount: '5', currency: 'XXX', reason: '' }],
] as const)('R-NOTE-01: %s %j', (language, params, expected) => {
  expect(readable(params, language)).toEqual(expected);
});

test.each([
  ['帳單 B-1 已產生，總額 NT$5,273。', '帳單 B-1 已產生，總額 NT$5,273'],
  ['Two\r\nlines  here.', 'Two lines here'],
  ['Wait...', 'Wait...'],
  [`${'長'.repeat(120)}。`, `${'長'.repeat(89)}…`],
])('R-NOTE-02: %j is a valid subject', (message, subject) => {
  expect(subjectOf(message)).toBe(subject);
});

test('R-NOTE-02: searching ignores full and half width, upper and lower case', () => {
  expect(folded('Ｂ－２０２６ Storage NT$5,273')).toBe('b-2026 storage nt$5,273');
});
