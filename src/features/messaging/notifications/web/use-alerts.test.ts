// Which notifications raise an alert.
import { expect, test } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import type { Notification } from '../contract.ts';
import { newsAmong } from './use-alerts.ts';

const one = (id: string, seconds: number, read = false): Notification => ({
  id: `ntf_${id}` as Id<'ntf'>,
  type: 'warning',
  category: 'usage',
  message: id,
  link: null,
  read,
  createdAt: new Date(seconds * 1000),
  deliveries: [],
});
const names = (items: readonly Notification[]) => items.map((item) => item.message);

test('R-NOTE-03: the first load is silent, later notifications raise alerts, oldest first', () => {
  const first = newsAmong(undefined, [one('b', 2), one('a', 1)], false);
  expect(first.news).toEqual([]);
  const later = newsAmong(first.seen, [one('d', 4), one('c', 3), one('b', 2), one('a', 1)], false);
  expect(names(later.news)).toEqual(['c', 'd']);
  expect(newsAmong(later.seen, [one('d', 4), one('c', 3)], false).news).toEqual([]);
});

test('R-NOTE-03: two of the same moment both raise an alert; one read elsewhere does not', () => {
  const { seen } = newsAmong(undefined, [one('a', 1)], false);
  expect(names(newsAmong(seen, [one('c', 1), one('b', 1), one('a', 1)], false).news)).toEqual(['b', 'c']);
  expect(newsAmong(seen, [one('d', 5, true), one('a', 1)], false).news).toEqual([]);
});

test('R-NOTE-03: an older one that moves up after a deletion raises none; the first after an empty inbox does', () => {
  const { seen } = newsAmong(undefined, [one('c', 3), one('b', 2)], false);
  expect(newsAmong(seen, [one('b', 2), one('a', 1)], false).news).toEqual([]);
  expect(names(newsAmong(newsAmong(undefined, [], false).seen, [one('a', 1)], false).news)).toEqual(['a']);
});

test('R-ADM-02: notifications of a customer raise no alert while an Admin views as them, and none once the view ends', () => {
  const { seen } = newsAmong(undefined, [one('a', 1)], true);
  const told = newsAmong(seen, [one('view', 2), one('a', 1)], true);
  expect(told.news).toEqual([]);
  expect(newsAmong(told.seen, [one('view', 2), one('a', 1)], false).news).toEqual([]);
});
