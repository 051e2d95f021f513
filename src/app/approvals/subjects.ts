// What a call that waits is about, in a few words.
import { isSomeId } from '#kernel/ids.ts';
import type { Console } from '#features/access/approvals/server/index.ts';
import { namesOf } from './store.ts';

/** Fields that say by themselves what a call is about. */
const telling = ['month', 'account', 'name'];
const longestSubject = 200;

/** The names of what the input's ids stand for, or what it calls by name; null where neither is known. */
export const subjectOf: Console['subjectOf'] = async (ctx, _call, fields) => {
  const ids = Object.values(fields).filter(isSomeId);
  const names = ids.length === 0 ? [] : await namesOf(ctx.db, ids);
  const told = telling.flatMap((field) => (typeof fields[field] === 'string' ? [fields[field]] : []));
  const subject = (names.length > 0 ? names : told).join(' · ');
  return subject === '' ? null : subject.slice(0, longestSubject);
};
