// Which schemas are allowed, their validation results, and that neither a schema nor data can block the
// console.
import { expect, it } from 'vitest';
import { compileSchema } from './data-schema.ts';

const check = (schema: Record<string, unknown>, data: unknown) => {
  const made = compileSchema(schema);
  if ('reason' in made) throw new Error(made.reason);
  return made.check(data);
};

it('reports position and rule of invalid data', () => {
  const schema = {
    type: 'object',
    required: ['value'],
    additionalProperties: false,
    properties: {
      value: { type: ['string', 'number'], minimum: 0 },
      region: { enum: ['tpe', 'khh'] },
      tags: { type: 'array', maxItems: 2, items: { pattern: '^[a-z]+$' } },
    },
  };
  expect(check(schema, { value: '3', region: 'tpe', tags: ['a'] })).toBeUndefined();
  expect(check(schema, {})).toEqual({ path: '', rule: 'required', limit: 'value' });
  expect(check(schema, undefined)).toEqual({ path: '', rule: 'type', limit: 'object' });
  expect(check(schema, { value: true })).toEqual({ path: '/value', rule: 'type', limit: 'string, number' });
  expect(check(schema, { value: -1 })).toEqual({ path: '/value', rule: 'range', limit: '>= 0' });
  expect(check(schema, { value: 1, region: 'sfo' })).toEqual({
    path: '/region',
    rule: 'enum',
    limit: '["tpe","khh"]',
  });
  expect(check(schema, { value: 1, zone: 1 })).toEqual({ path: '', rule: 'additional', limit: 'zone' });
  expect(check(schema, { value: 1, tags: ['a', 'B'] })).toEqual({
    path: '/tags/1',
    rule: 'pattern',
    limit: '^[a-z]+$',
  });
  expect(check(schema, { value: 1, tags: ['a', 'b', 'c'] })).toEqual({
    path: '/tags',
    rule: 'at_most',
    limit: '2',
  });
  expect(check({ required: ['constructor', '__proto__'] }, { value: 1 })).toEqual({
    path: '',
    rule: 'required',
    limit: 'constructor',
  });
  expect(
    check({ properties: { value: { $ref: '#/$defs/n' } }, $defs: { n: { type: 'number' } } }, { value: 'x' }),
  ).toMatchObject({ path: '/value', rule: 'type' });
});

it.each([
  ['no schema', { type: 'strnig' }],
  ['another dialect', { $schema: 'http://json-schema.org/draft-04/schema#' }],
  ['an external reference', { $ref: 'https://evil.example/schema.json' }],
  ['a reference to nothing', { $ref: '#/$defs/none' }],
  ['a circle', { $ref: '#' }],
  ['a longer cycle', { allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { anyOf: [{ $ref: '#' }] } } }],
  ['an answer later', { $async: true, type: 'object' }],
  ['a name of its own', { $id: 'x' }],
  ['an invalid pattern', { properties: { a: { pattern: '(' } } }],
  ['a pattern with lookahead', { properties: { a: { pattern: '(?=a)' } } }],
  ['all with all', { properties: { a: { uniqueItems: true } } }],
  [
    'too many references',
    { allOf: Array.from({ length: 65 }, () => ({ $ref: '#/$defs/a' })), $defs: { a: true } },
  ],
  ['NUL', { description: '\u0000' }],
  ['half a surrogate pair', { description: '\ud800' }],
  ['a text that is too long', { description: 'x'.repeat(16_385) }],
])('%s is rejected with its reason', (_what, schema) => {
  expect(compileSchema(schema)).toEqual({ reason: expect.stringMatching(/.{5,}/) as string });
});

it('no pattern and no data takes long', () => {
  const trap = {
    properties: {
      a: { type: 'string', pattern: '^(a+)+$' },
      b: { type: 'array', uniqueItems: true, maxItems: 256 },
    },
  };
  expect(check(trap, { a: `${'a'.repeat(16_000)}!` })).toMatchObject({ path: '/a', rule: 'pattern' });
  expect(check(trap, { b: Array.from({ length: 8000 }, () => 1) })).toMatchObject({
    path: '/b',
    rule: 'at_most',
  });
  expect(check(trap, { a: 'a'.repeat(17_000) })).toMatchObject({ rule: 'too_long' });
  let deep: unknown = 1;
  for (let depth = 0; depth < 3000; depth++) deep = { a: deep };
  expect(
    check({ $ref: '#/$defs/t', $defs: { t: { properties: { a: { $ref: '#/$defs/t' } } } } }, deep)?.rule ??
      'fine',
  ).toMatch(/fine|endless|too_long/);
});
