// The checks of forms that do without schemas, in the words of those that have one: `check-values.ts` says the same of the same values.
import { emailPattern, longestEmail, printablePattern } from '#kernel/patterns.ts';
import { problem, type Problem } from './problems.ts';

/** What is wrong with a value, given the other fields; undefined when nothing is. */
export type Check<Name extends string = never> = (
  value: string,
  valueOf: (name: Name) => string,
) => Problem | undefined;

/** Something must stand there, or be ticked; `key` is the sentence for when nothing does. */
export const filled =
  (key?: Problem): Check =>
  (value) =>
    value === '' ? (key ?? problem('form.required')) : undefined;

/** As the kernel's `text(max)`: what is typed at the edges does not count. */
export const textUpTo =
  (max: number): Check =>
  (value) =>
    value.trim() === '' ? problem('form.required') : optionalTextUpTo(max)(value, nothing);

/** As the kernel's `optionalText(max)`. */
export const optionalTextUpTo =
  (max: number): Check =>
  (value) => {
    const text = value.trim();
    if (text.length > max) return problem('form.too_long', { max: String(max) });
    return printablePattern.test(text) ? undefined : problem('form.invalid');
  };

/** An e-mail address, with a sentence for a missing one and one for what is none. */
export const emailAddress =
  (keys: { readonly required: Problem; readonly invalid: Problem }): Check =>
  (value) => {
    const address = value.trim();
    if (address === '') return keys.required;
    if (!emailPattern.test(address)) return keys.invalid;
    return address.length > longestEmail
      ? problem('form.too_long', { max: String(longestEmail) })
      : undefined;
  };

const nothing = (): string => '';
