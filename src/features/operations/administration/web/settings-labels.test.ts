import { describe, expect, it } from 'vitest';
import { labelOf, valueText } from './settings-labels.ts';

const words = { yes: 'yes', no: 'no', empty: 'empty' };

describe('R-ADM-03 the history of settings', () => {
  it.each([
    [true, 'yes'],
    [false, 'no'],
    ['5', '5'],
    [0, '0'],
    ['', 'empty'],
    [null, 'empty'],
    [{ name: 'A', taxId: '', email: 'b@c' }, 'A · b@c'],
    [{ name: '' }, 'empty'],
  ])('shows %j as %s', (value, text) => expect(valueText(value, words)).toBe(text));
  it('names a setting like its field, and a removed one otherwise', () =>
    expect([labelOf('dueDays'), labelOf('toString')]).toEqual([
      'administration.due_days',
      'administration.history_other',
    ]));
});
