import { afterEach, expect, it, vi } from 'vitest';
import { RecentTopics } from './recent-topics.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('remembers for fifteen seconds which topics had a message, and how long ago', () => {
  vi.useFakeTimers({ toFake: ['performance'], now: 0 });
  const recent = new RecentTopics();
  recent.add('a');
  expect(['a', 'b'].map((topic) => recent.ageMs(topic))).toEqual([0, undefined]);
  vi.advanceTimersByTime(10_000);
  recent.add('b');
  vi.advanceTimersByTime(5001);
  expect(['a', 'b'].map((topic) => recent.ageMs(topic))).toEqual([undefined, 5001]);
  vi.advanceTimersByTime(9999);
  expect(recent.ageMs('b')).toBe(15_000);
  vi.advanceTimersByTime(1);
  expect(recent.ageMs('b')).toBeUndefined();
});
