import { describe, expect, it } from 'vitest';
import { distinctNames, unshownName } from './row-names.ts';

type User = { id: string; name: string; account: string };
const users: readonly User[] = [
  { id: '1', name: 'Lin', account: 'lin@a.example' },
  { id: '2', name: 'Chen', account: 'chen@a.example' },
  { id: '3', name: 'Lin', account: 'lin@b.example' },
];
const named = { rowKey: ({ id }: User) => id, rowName: ({ name }: User) => name };

describe('names of rows', () => {
  it('tells rows of one name apart by their detail, and leaves the others alone', () => {
    const nameOf = distinctNames(users, { ...named, rowDetail: ({ account }) => account });
    expect(users.map(nameOf.rowName)).toEqual(['Lin lin@a.example', 'Chen', 'Lin lin@b.example']);
  });

  it('adds the key where the details are alike, too', () => {
    const nameOf = distinctNames(users, { ...named, rowDetail: () => 'today' });
    expect(users.map(nameOf.rowName)).toEqual(['Lin today 1', 'Chen', 'Lin today 3']);
  });

  it('uses the key where a list has no detail', () => {
    expect(users.map(distinctNames(users, named).rowName)).toEqual(['Lin 1', 'Chen', 'Lin 3']);
  });

  it.each([
    ['Lin', 'Lin', undefined, ''],
    ['Lin NT$5', 'Lin', undefined, ' NT$5'],
    ['B-1', 'October', undefined, ' B-1'],
    ['Lin', undefined, undefined, ''],
    ['Lin a@b.example', undefined, 'a@b.example', ' a@b.example'],
  ])('“%s” shown as “%s”, apart by “%s”, also says “%s”', (name, shown, apart, said) => {
    expect(unshownName(name, shown, apart)).toBe(said);
  });
});
