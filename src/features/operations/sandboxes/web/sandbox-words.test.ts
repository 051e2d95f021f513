import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../contract.ts';
import { progressOf, shownState } from './sandbox-words.ts';

const at = (text: string): Date => new Date(text);
const sandbox = (clockAt: string, state?: 'running' | 'done' | 'cancelled'): Sandbox => ({
  id: 'sbx_1' as Sandbox['id'],
  name: 'Partner',
  state: 'ready',
  address: '',
  startAt: at('2024-01-01T00:00:00Z'),
  clockAt: at(clockAt),
  move: state ? { from: at('2024-01-01T00:00:00Z'), to: at('2024-01-11T00:00:00Z'), state } : null,
  customers: 0,
  bills: 0,
  mails: 0,
  lastUsedAt: at('2024-01-01T00:00:00Z'),
  deletedAt: at('2024-01-01T00:00:00Z'),
  createdBy: '',
  createdAt: at('2024-01-01T00:00:00Z'),
});

describe('T-SANDBOX: the sandbox page', () => {
  it.each([
    ['2024-01-01T00:00:00Z', 0],
    ['2024-01-06T00:00:00Z', 0.5],
    ['2024-01-11T00:00:00Z', 1],
  ])('at %s shows %d progress', (clockAt, ratio) => {
    expect(progressOf(sandbox(clockAt, 'running'))).toBe(ratio);
  });

  it('shows that the clock moves only while it does', () => {
    expect(shownState(sandbox('2024-01-06T00:00:00Z', 'running'))).toBe('moving');
    expect(shownState(sandbox('2024-01-06T00:00:00Z', 'cancelled'))).toBe('ready');
    expect(shownState(sandbox('2024-01-06T00:00:00Z'))).toBe('ready');
    expect(shownState({ ...sandbox('2024-01-06T00:00:00Z', 'running'), state: 'deleting' })).toBe('deleting');
  });
});
