import * as z from 'zod/mini';
import { describe, expect, it } from 'vitest';
import { email, moneyShape, text } from '#kernel/shape.ts';
import { money } from '#kernel/money.ts';
import { problemOf as schemaProblem } from './schema-problems.ts';
import { finished, readProblem } from './problems.ts';

const schema = z.strictObject({
  email,
  name: text(5),
  own: z.optional(z.string().check(z.minLength(3, 'identity.password_too_short?minimum=3'))),
  terms: z.literal(true),
  count: z.number().check(z.minimum(1), z.maximum(9)),
  price: moneyShape,
});
const good = {
  email: ' First@Example.com ',
  name: 'First',
  terms: true,
  count: 3,
  price: { amount: '12', currency: 'TWD' },
};
const problemOf = (change: object, field: string) => {
  const { error } = z.safeParse(schema, { ...good, ...change }, { error: schemaProblem });
  return error?.issues.find((issue) => issue.path.join('.') === field)?.message;
};

describe('R-AUTH-01, R-I18N-05 errors of a field', () => {
  it('none: the values are decoded', () => {
    expect(z.safeParse(schema, good, { error: schemaProblem })).toMatchObject({
      success: true,
      data: { ...good, email: 'first@example.com', price: money(12n, 'TWD') },
    });
  });
  it.each<[object, string, string]>([
    [{ email: '' }, 'email', 'form.required'],
    [{ email: 'first' }, 'email', 'form.invalid'],
    [{ name: '   ' }, 'name', 'form.required'],
    [{ name: 'Billing contact' }, 'name', 'form.too_long?max=5'],
    [{ own: 'ab' }, 'own', 'identity.password_too_short?minimum=3'],
    [{ terms: false }, 'terms', 'form.required'],
    [{ count: 0 }, 'count', 'form.too_small?min=1'],
    [{ count: 10 }, 'count', 'form.too_big?max=9'],
    [{ price: { amount: 'x', currency: 'TWD' } }, 'price', 'form.invalid'],
  ])('%j', (change, field, expected) => {
    expect(problemOf(change, field)).toBe(expected);
  });
  it('are read as a key with parameters or as a finished sentence', () => {
    expect(readProblem('form.too_long?max=5')).toEqual({ key: 'form.too_long', params: { max: '5' } });
    expect(readProblem(finished('已有人使用？'))).toEqual({ sentence: '已有人使用？' });
  });
});
