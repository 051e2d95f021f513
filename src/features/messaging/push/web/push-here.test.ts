import { describe, expect, it } from 'vitest';
import { browserKind, pushProblem } from './push-here.ts';

const agents = {
  chrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  edge: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
  safari:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
};

describe('R-NOTE-02: what prevents push in a browser', () => {
  it.each([
    ['nothing', { isSecure: true, userAgent: agents.chrome, hasPush: true }, undefined],
    ['plain http', { isSecure: false, userAgent: agents.chrome, hasPush: false }, 'insecure'],
    [
      'an iPhone’s page that is not on the home screen',
      { isSecure: true, userAgent: agents.iphone, hasPush: false },
      'install',
    ],
    [
      'no obstacle on the home screen',
      { isSecure: true, userAgent: agents.iphone, hasPush: true },
      undefined,
    ],
    ['a browser without push', { isSecure: true, userAgent: 'Lynx', hasPush: false }, 'unsupported'],
  ] as const)('%s', (_what, surroundings, hindrance) => expect(pushProblem(surroundings)).toBe(hindrance));

  it.each([
    [agents.chrome, 'chromium'],
    [agents.edge, 'chromium'],
    [agents.firefox, 'firefox'],
    [agents.safari, 'safari'],
    [agents.iphone, 'safari'],
    ['Lynx', 'other'],
  ] as const)('%s gets the instructions for %s', (agent, kind) => expect(browserKind(agent)).toBe(kind));
});
