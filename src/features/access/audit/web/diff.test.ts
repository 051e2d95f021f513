import { describe, expect, it } from 'vitest';
import { changesOf, otherDetails } from './diff.ts';

describe('the difference of an audit row', () => {
  it.each([
    [
      'a field',
      { before: { role: 'User', name: 'X' }, after: { role: 'ReadOnly', name: 'X' } },
      [['role', 'User', 'ReadOnly']],
    ],
    [
      'nested fields by their path, lists as one',
      {
        before: { mail: { host: 'a', port: 25 }, days: [1, 2] },
        after: { mail: { host: 'a', port: 587 }, days: [1, 3] },
      },
      [
        ['mail.port', '25', '587'],
        ['days', '[1,2]', '[1,3]'],
      ],
    ],
    ['added and removed fields', { before: null, after: { account: '1' } }, [['account', undefined, '1']]],
    ['a plain value', { before: 'standard', after: 'exempt' }, [['', 'standard', 'exempt']]],
    [
      'null is empty',
      { before: { until: null, is: false }, after: { until: null, is: true } },
      [['is', 'false', 'true']],
    ],
    ['nothing', { reason: 'x' }, []],
  ])('%s', (_what, detail, changes) =>
    expect(changesOf(detail).map(({ field, before, after }) => [field, before, after])).toEqual(changes),
  );
  it('keeps the other details', () =>
    expect(otherDetails({ before: 1, after: 2, reason: 'x', rows: 7 })).toEqual([
      ['reason', 'x'],
      ['rows', '7'],
    ]));
});
