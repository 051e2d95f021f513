import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { email, optionalText, text } from '#kernel/shape.ts';
import { checkValues } from './check-values.ts';
import { emailAddress, filled, optionalTextUpTo, textUpTo, type Check } from './checks.ts';

/** What a form with a schema says of the same value. */
function bySchema(shape: z.ZodMiniType, value: string): string | undefined {
  const result = checkValues(z.strictObject({ field: shape }), { field: value });
  return result.ok ? undefined : result.problems.get('field');
}
const byCheck = (check: Check, value: string): string | undefined => check(value, () => '');
const signs = fc.constantFrom(
  'a',
  '1',
  '字',
  ' ',
  '\t',
  '\n',
  '\u0000',
  '\u000b',
  '\u001f',
  '\u007f',
  '\u0085',
  '\u00a0',
);
const texts = fc.oneof(fc.string({ maxLength: 14 }), fc.string({ unit: signs, maxLength: 14 }));

describe('R-AUTH-01 forms without a schema say what those with one say', () => {
  it.each<[string, Check, z.ZodMiniType]>([
    ['a text', textUpTo(9), text(9)],
    ['a text that may be missing', optionalTextUpTo(9), optionalText(9)],
    ['what must be there', filled('signin.required'), z.string().check(z.minLength(1, 'signin.required'))],
  ])('%s', (_name, check, shape) => {
    fc.assert(
      fc.property(texts, (value) => {
        expect(byCheck(check, value)).toBe(bySchema(shape, value));
      }),
    );
  });

  it('an e-mail address', () => {
    const check = emailAddress({ required: 'signin.email_required', invalid: 'signin.email_invalid' });
    const shape = z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'signin.email_required'),
        z.regex(z.regexes.email, 'signin.email_invalid'),
      );
    fc.assert(
      fc.property(
        fc.oneof(fc.emailAddress(), texts, fc.stringMatching(/^ ?[\w.+'-]{0,6}@?[\w.-]{0,9} ?$/)),
        (value) => {
          expect(byCheck(check, value)).toBe(bySchema(shape, value));
        },
      ),
    );
  });

  it('an address that is longer than the account may be', () => {
    const long = `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}.example`;
    expect(byCheck(emailAddress({ required: 'a.b', invalid: 'a.c' }), long)).toBe('form.too_long?max=254');
    expect(z.safeParse(email, long).success).toBe(false);
  });
});
