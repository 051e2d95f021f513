import { describe, expect, it } from 'vitest';
import {
  consoleVerdict,
  databaseVerdict,
  jobVerdict,
  machineVerdict,
  mostUrgentFirst,
  queueVerdict,
  processVerdict,
  replicaVerdict,
  worst,
} from './rules.ts';

const now = new Date('2026-11-22T08:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

describe('R-ADM-01 what needs attention', () => {
  it.each([
    ['nothing waits', { oldestDueAt: null, parked: 0, isOn: true }, 'good'],
    ['nothing is waiting and no console sends', { oldestDueAt: null, parked: 0, isOn: false }, 'off'],
    ['a minute late', { oldestDueAt: ago(60), parked: 0, isOn: true }, 'good'],
    ['more than a minute late', { oldestDueAt: ago(61), parked: 0, isOn: true }, 'warning'],
    ['more than ten minutes late', { oldestDueAt: ago(601), parked: 0, isOn: true }, 'bad'],
    ['due later', { oldestDueAt: ago(-900), parked: 0, isOn: true }, 'good'],
    ['given up', { oldestDueAt: null, parked: 1, isOn: true }, 'warning'],
    ['waiting without a sender', { oldestDueAt: ago(700), parked: 0, isOn: false }, 'bad'],
  ] as const)('lane: %s', (_name, queue, expected) => expect(queueVerdict(queue, now)).toBe(expected));

  it.each([
    ['idle', { waitedSeconds: 0, active: 0, failed: 0 }, 'good'],
    ['waiting behind a running one', { waitedSeconds: 900, active: 1, failed: 0 }, 'good'],
    ['waiting without a worker', { waitedSeconds: 301, active: 0, failed: 0 }, 'bad'],
    ['failed today', { waitedSeconds: 0, active: 0, failed: 2 }, 'warning'],
  ] as const)('job: %s', (_name, job, expected) => expect(jobVerdict(job)).toBe(expected));

  it.each([
    ['well', { answerMs: 1, connections: 10, mostConnections: 60, longestSeconds: 0 }, 'good'],
    ['slow', { answerMs: 101, connections: 10, mostConnections: 60, longestSeconds: 0 }, 'warning'],
    [
      'almost no connection left',
      { answerMs: 1, connections: 58, mostConnections: 60, longestSeconds: 0 },
      'bad',
    ],
    [
      'a transaction open for an hour',
      { answerMs: 1, connections: 10, mostConnections: 60, longestSeconds: 3601 },
      'bad',
    ],
  ] as const)('database: %s', (_name, database, expected) =>
    expect(databaseVerdict(database)).toBe(expected),
  );

  it.each([
    ['heard from just now', {}, 'good'],
    ['missed its turns', { heardSecondsAgo: 31 }, 'warning'],
    ['silent for minutes', { heardSecondsAgo: 121 }, 'bad'],
    ['a clock that is 2 s slow', { clockAheadMs: -2001 }, 'warning'],
    ['a clock that is half a minute fast', { clockAheadMs: 30_001 }, 'bad'],
    ['the previous release', { version: 'v1.0.0' }, 'warning'],
  ] as const)('consoles: %s', (_name, difference, expected) => {
    const fine = { heardSecondsAgo: 10, clockAheadMs: 1999, version: 'v1.1.0' };
    expect(consoleVerdict({ ...fine, ...difference }, 'v1.1.0')).toBe(expected);
  });

  it('process: before its first minute, a lagging one, one with failed requests', () => {
    expect([
      processVerdict(undefined),
      processVerdict({ lagMs: 101, failed: 0 }),
      processVerdict({ lagMs: 0, failed: 1 }),
    ]).toEqual(['good', 'warning', 'warning']);
  });
  it('the worst of all counts, and off only if all are off', () => {
    expect([
      worst('good', 'off'),
      worst('good', 'warning', 'bad'),
      worst('off'),
      worst('warning', 'good'),
    ]).toEqual(['good', 'bad', 'off', 'warning']);
  });
});

it('a replica that is not read needs attention soon, one of another database immediately', () => {
  const replica = { problem: null, isPrimary: false } as const;
  expect(replicaVerdict(replica)).toBe('good');
  expect(replicaVerdict({ ...replica, isPrimary: true })).toBe('warning');
  expect(replicaVerdict({ ...replica, problem: 'away' })).toBe('warning');
  expect(replicaVerdict({ ...replica, problem: 'late' })).toBe('warning');
  expect(replicaVerdict({ ...replica, problem: 'other_database' })).toBe('bad');
});

describe('R-ADM-01 the machine and the order of parts', () => {
  it.each([
    ['no reading yet', undefined, 'good'],
    ['busy, with some room', { cpu: 90, memory: 76, disk: 90 }, 'good'],
    ['a disk that is nearly full', { cpu: 1, memory: 1, disk: 90.1 }, 'warning'],
  ] as const)('machine: %s', (_name, last, expected) => expect(machineVerdict(last)).toBe(expected));

  it('lists what needs attention first, otherwise in its order', () => {
    const of = (...all: readonly (readonly [string, 'good' | 'warning' | 'bad' | 'off'])[]) =>
      mostUrgentFirst(all.map(([name, verdict]) => ({ name, verdict }))).map(({ name }) => name);
    expect(of(['a', 'off'], ['b', 'good'], ['c', 'warning'], ['d', 'good'], ['e', 'bad'])).toEqual([
      'e',
      'c',
      'b',
      'd',
      'a',
    ]);
  });
});
