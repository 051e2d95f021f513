import { expect, it } from 'vitest';
import { ancestorsOf, exactOrigin, safeReturnUrl } from './exact-origin.ts';

it.each([
  ['https://portal.example.com', 'https://portal.example.com'],
  [' https://Portal.Example.com/ ', 'https://portal.example.com'],
  ['https://portal.example.com:443', 'https://portal.example.com'],
  ['https://portal.example.com:8443', 'https://portal.example.com:8443'],
  ['https://例子.測試', 'https://xn--fsqu00a.xn--g6w251d'],
])('T-PORTAL-ORIGIN: %s is the origin %s', (typed, origin) => {
  expect(exactOrigin(typed, false)).toBe(origin);
});

it.each([
  'http://portal.example.com',
  'https://*.example.com',
  'https://portal.example.com/pages',
  'https://portal.example.com?x=1',
  'https://portal.example.com/#x',
  'https://somebody@portal.example.com',
  'https://portal.example.com; script-src *',
  "https://portal.example.com 'self'",
  'javascript:alert(1)',
  'data:text/html,x',
  'null',
  '*',
  '',
  'http://localhost:3000',
])('T-PORTAL-ORIGIN: %j is not an origin', (typed) => {
  expect(exactOrigin(typed, false)).toBeUndefined();
});

it('T-PORTAL-ORIGIN: http on localhost is accepted only where it is allowed', () => {
  expect(exactOrigin('http://localhost:3000', true)).toBe('http://localhost:3000');
  expect(exactOrigin('http://127.0.0.1:3000', true)).toBe('http://127.0.0.1:3000');
  expect(exactOrigin('http://localhost.example.com', true)).toBeUndefined();
  expect(exactOrigin('http://portal.example.com', true)).toBeUndefined();
});

it('T-PORTAL-ORIGIN: return addresses are https only', () => {
  expect(safeReturnUrl('https://portal.example.com/account?tab=bills', false)).toBe(
    'https://portal.example.com/account?tab=bills',
  );
  for (const typed of [
    'javascript:alert(1)',
    '/account',
    'http://portal.example.com',
    'https://a:b@c.example',
  ])
    expect(safeReturnUrl(typed, false), typed).toBeUndefined();
});

it('T-PORTAL-ORIGIN: an origin removed from the settings cannot frame anything', () => {
  expect(
    ancestorsOf(['https://a.example', 'https://b.example'], ['https://b.example', 'https://c.example']),
  ).toEqual(['https://b.example']);
  expect(ancestorsOf([], ['https://b.example'])).toEqual([]);
});
