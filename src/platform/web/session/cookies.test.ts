import { expect, it } from 'vitest';
import { cookieValue } from './cookies.ts';

it('reads one cookie of many, decodes it, and tolerates invalid escapes', () => {
  expect(cookieValue('xi18next=1; i18next=a%20b', 'i18next')).toBe('a b');
  expect(cookieValue('i18next=%', 'i18next')).toBe('%');
  expect(cookieValue('', 'i18next')).toBeUndefined();
});
