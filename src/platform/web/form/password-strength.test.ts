import { expect, it } from 'vitest';
import { passwordStrength } from './password-strength.ts';

it.each([
  ['', 0],
  ['password', 0],
  ['12345678', 0],
  ['password1234', 0],
  ['Welcome2026!', 0],
  ['passwordless keeps 7 doors', 3],
  ['aaaaaaaaaaaaaaaaaaaa', 0],
  ['abcdefghijkl', 0],
  ['Summer2026', 1],
  ['Tr0ub4dor&3', 2],
  ['correct horse battery staple', 3],
  ['x7!Kq0#vLm2$Wp9', 3],
])('%s: %d', (password, expected) => {
  expect(passwordStrength(password)).toBe(expected);
});
