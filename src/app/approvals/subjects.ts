// Describes in a few words what a held call is about.
import { isSomeId } from '#kernel/ids.ts';
import type { Console } from '#features/access/approvals/server/index.ts';
import { namesOf } from './store.ts';

/** Input fields that identify the subject by themselves. */
const identifyingFields = ['month', 'account', 'name'];
const longestSubject = 200;
/** Of a list of ids, the first names are given and the others counted. */
const mostListed = 3;

/** The names behind the input's ids, or else its identifying fields; null when there are neither. */
export const subjectOf: Console['subjectOf'] = async (ctx, _call, fields) => {
  const values = Object.values(fields);
  const ids = values.filter(isSomeId);
  const lists = values.filter(Array.isArray).map((list) => list.filter(isSomeId));
  const known = await namesOf(ctx.db, [...ids, ...lists.flat()]);
  const namesIn = (some: readonly string[]) => some.flatMap((id) => known.get(id) ?? []);
  const names = [
    ...namesIn(ids),
    ...lists.map((list) => {
      const listed = namesIn(list).slice(0, mostListed);
      const rest = list.length - listed.length;
      return listed.length === 0 ? '' : listed.join(' / ') + (rest > 0 ? ` +${rest}` : '');
    }),
  ].filter((name) => name !== '');
  const identifiers = identifyingFields.flatMap((field) =>
    typeof fields[field] === 'string' ? [fields[field]] : [],
  );
  const subject = (names.length > 0 ? names : identifiers).join(' · ');
  return subject === '' ? null : subject.slice(0, longestSubject);
};

export const idNames: Console['namesOf'] = (ctx, ids) => namesOf(ctx.db, ids);
