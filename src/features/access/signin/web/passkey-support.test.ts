import { describe, expect, it } from 'vitest';
import { canUsePasskeys } from './passkey-support.ts';

describe('passkey support', () => {
  it.each([
    ['localhost', true],
    ['console.example.com', true],
    ['127.0.0.1', false],
    ['[::1]', false],
    ['10.0.0.7', false],
  ])('%s: %s', (host, can) => {
    expect(canUsePasskeys(host, true)).toBe(can);
    expect(canUsePasskeys(host, false)).toBe(false);
  });
});
