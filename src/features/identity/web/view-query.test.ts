import { expect, test } from 'vitest';
import { matchingView, viewQuery } from './view-query.ts';

const names = ['q', 'status', 'sort'];
test('a view is what the list shows, in whatever order the address says it, without the page and what is open', () => {
  expect(viewQuery(new URLSearchParams('sort=-name&cursor=abc&service=svc_1&status=active&q='), names)).toBe('status=active&sort=-name');
  expect(viewQuery(new URLSearchParams('q=物件 儲存'), names)).toBe(viewQuery(new URLSearchParams(new URLSearchParams([['q', '物件 儲存']])), names));
});
test('an own view is found before the same given one', () => {
  const views = [{ query: '', key: 'all' }, { query: 'status=active', key: 'given' }, { query: 'status=active', key: 'own' }];
  expect([matchingView(views, 'status=active')?.key, matchingView(views, '')?.key, matchingView(views, 'q=x')]).toEqual(['own', 'all', undefined]);
});
