import { describe, expect, it } from 'vitest';
import { nextSort, readTable, viewOf, withView, writeTable } from './table-state.ts';

const options = { filters: { role: ['Admin', 'User'], status: ['active'] }, sort: '-createdAt' } as const;
const read = (address: string) => readTable(new URLSearchParams(address), options);

describe('a list’s state in the address', () => {
  it.each<[string, object]>([
    ['', { limit: 25, sort: '-createdAt' }],
    [
      'q=first&role=Admin&status=active&sort=name&limit=50&cursor=abc',
      { q: 'first', role: 'Admin', status: 'active', sort: 'name', limit: 50, cursor: 'abc' },
    ],
    ['role=Root&status=&limit=7&sort=na%20me', { limit: 25, sort: '-createdAt' }],
    ['other=1&tab=2', { limit: 25, sort: '-createdAt' }],
  ])('%s', (address, expected) => {
    expect(read(address)).toEqual(expected);
  });

  it('is unchanged after a reload', () => {
    const written = writeTable(new URLSearchParams('tab=2'), { q: '陳 怡君', role: 'User' });
    expect(readTable(written, options)).toMatchObject({ q: '陳 怡君', role: 'User' });
    expect(written.get('tab')).toBe('2');
  });

  it('returns to the first page after every change except paging', () => {
    const params = new URLSearchParams('q=a&cursor=x');
    expect(writeTable(params, { role: 'User' }).has('cursor')).toBe(false);
    expect(writeTable(params, { cursor: 'y' }).get('cursor')).toBe('y');
    expect(writeTable(params, { q: '' }).toString()).toBe('');
  });

  it('of two lists on a page is independent', () => {
    const written = writeTable(new URLSearchParams('q=a'), { q: 'b' }, 'bills_');
    expect(written.get('q')).toBe('a');
    expect(readTable(written, { prefix: 'bills_' }).q).toBe('b');
  });
});

describe('sorting a list', () => {
  it.each([
    [undefined, 'name', '-createdAt', 'name'],
    ['name', 'name', '-createdAt', '-name'],
    ['-name', 'name', '-createdAt', undefined],
    ['-createdAt', 'createdAt', '-createdAt', 'createdAt'],
    ['createdAt', 'createdAt', '-createdAt', '-createdAt'],
  ])('%s, click on %s (default %s): %s', (current, key, fallback, expected) => {
    expect(nextSort(current, key, fallback)).toBe(expected);
  });
});

describe('a view of a list', () => {
  const names = ['q', 'status', 'sort'];

  it('is what the list shows, for any order of parameters, without page and open panel', () => {
    expect(viewOf(new URLSearchParams('sort=-name&cursor=abc&service=svc_1&status=active&q='), names)).toBe(
      'status=active&sort=-name',
    );
  });

  it('opens at its first page and keeps the rest of the address', () => {
    const opened = withView(
      new URLSearchParams('tab=2&other-q=x&q=old&cursor=abc'),
      'status=active&panel=evil',
      names,
    );
    expect(opened.toString()).toBe('tab=2&other-q=x&status=active');
    expect(viewOf(withView(opened, '', names), names)).toBe('');
  });

  it('of a second list on a page has its own parameter names', () => {
    expect(
      withView(
        new URLSearchParams('cursor=other&bills-cursor=abc'),
        'bills-q=9',
        ['bills-q'],
        'bills-',
      ).toString(),
    ).toBe('cursor=other&bills-q=9');
  });
});
