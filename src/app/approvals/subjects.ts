// Describes in a few words what a held call is about.
import { isSomeId } from '#kernel/ids.ts';
import type { Console } from '#features/access/approvals/server/index.ts';
import { namesOf } from './store.ts';

/** Input fields that identify the subject by themselves. */
const identifyingFields = ['month', 'account', 'name'];
const longestSubject = 200;

/** The names behind the input's ids, or else its identifying fields; null when there are neither. */
export const subjectOf: Console['subjectOf'] = async (ctx, _call, fields) => {
  const ids = Object.values(fields).filter(isSomeId);
  const names = ids.length === 0 ? [] : await namesOf(ctx.db, ids);
  const identifiers = identifyingFields.flatMap((field) =>
    typeof fields[field] === 'string' ? [fields[field]] : [],
  );
  const subject = (names.length > 0 ? names : identifiers).join(' · ');
  return subject === '' ? null : subject.slice(0, longestSubject);
};
