// Inputs for a schema: mostly valid ones, with values at the limits, and hostile ones that no schema expects.
import fc from 'fast-check';
import type * as z from 'zod/mini';
import { schemaOf, type Definitions, type Schema } from './input-schema.ts';

const hostile = fc.constantFrom<unknown>(
  null,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e txt.exe',
  'x'.repeat(100_000),
  '9'.repeat(400),
  '-1',
  '1e400',
  'NaN',
  '0.0000000000000000000000000001',
  '2024-02-30',
  '0001-01-01',
  '9999-12-31',
  '9999-12-31T23:59:59.999Z',
  '-271821-04-20T00:00:00Z',
  '%',
  "'; select 1; --",
  '../../etc/passwd',
  '<script>1</script>',
  '=cmd|x',
  -1,
  0,
  1e308,
  1.5,
  Number.MAX_SAFE_INTEGER + 2,
  true,
  [],
  {},
  [null],
  { a: { b: [[[[]]]] } },
);
const texts = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  fc.constantFrom('晨光雲端', 'a@b.example', 'https://a.example/x', '1', '0', '100', 'TWD', '2024-09', 'x'),
);
const days = fc.constantFrom(
  '2024-02-29',
  '2024-08-31',
  '2024-09-01',
  '2024-10-05',
  '2024-10-31',
  '2024-12-31',
  '2025-03-30',
  '1970-01-01',
  '2099-12-31',
);
const moments = fc.oneof(
  days.map((day) => `${day}T00:00:00Z`),
  days.map((day) => `${day}T15:59:59.999Z`),
);
const numbers = fc.constantFrom(0, 1, 2, 5, 10, 25, 99, 100, 1000, 2 ** 31 - 1);
const decimals = fc.constantFrom(
  '0',
  '1',
  '0.5',
  '100',
  '12800',
  '0.000000000001',
  '999999999999999',
  '-1',
  '33.33',
  '1.005',
);

const months = fc.constantFrom('2024-08', '2024-09', '2024-10', '2024-11', '2024-12', '2025-01');
const amounts = fc.record({
  amount: fc.constantFrom('1', '100', '12800', '0', '-5', '0.5', '999999999', '999999999999999999'),
  currency: fc.oneof({ weight: 6, arbitrary: fc.constant('TWD') }, fc.constantFrom('USD', 'KWD', 'JPY')),
});

/** The ids that a console has given so far, by their prefix. */
export class KnownIds {
  readonly #byPrefix = new Map<string, string[]>();
  readonly #never: ReadonlySet<string>;

  /** `never` are ids that no generated input has. */
  constructor(never: readonly string[]) {
    this.#never = new Set(never);
  }

  /** Remembers every id in the text of an answer. */
  read(text: string): void {
    for (const [id, prefix = ''] of text.matchAll(/\b([a-z]{2,5})_[0-9a-hjkmnp-tv-z]{26}\b/g)) {
      const known = this.#byPrefix.get(prefix) ?? [];
      if (this.#never.has(id) || known.includes(id)) continue;
      this.#byPrefix.set(prefix, [...known, id].slice(-40));
    }
  }

  of(prefix: string): readonly string[] {
    return this.#byPrefix.get(prefix) ?? [];
  }
}

function textOf(schema: Schema, known: KnownIds): fc.Arbitrary<unknown> {
  const [example] = schema.examples ?? [];
  if (typeof example === 'string' && example.endsWith('_…')) {
    const unknown = `${example.slice(0, -1)}01hzzzzzzzzzzzzzzzzzzzzzzz`;
    const ids = known.of(example.slice(0, -2));
    return ids.length === 0
      ? fc.constant(unknown)
      : fc.oneof({ weight: 15, arbitrary: fc.constantFrom(...ids) }, fc.constant(unknown));
  }
  if (schema.format === 'date') return days;
  if (schema.format === 'date-time') return moments;
  if (schema.format === 'email') return fc.constantFrom('new@three.example', 'owner@four.example');
  if (schema.format === 'uri') return fc.constantFrom('https://a.example/hook', 'http://127.0.0.1:1/');
  if (typeof example === 'string' && /^\d{4}-\d{2}$/.test(example)) return months;
  const plain = fc.oneof(texts, decimals, days, moments, months);
  const candidates =
    typeof example === 'string' ? fc.oneof({ weight: 4, arbitrary: fc.constant(example) }, plain) : plain;
  if (schema.pattern === undefined)
    return candidates.map((text) =>
      text.slice(0, schema.maxLength ?? 200).padEnd(schema.minLength ?? 0, 'x'),
    );
  const pattern = new RegExp(schema.pattern, 'u');
  const fitting = fc.sample(candidates, { numRuns: 60, seed: 1 }).filter((text) => pattern.test(text));
  try {
    const matching = fc.stringMatching(pattern, { maxLength: Math.min(schema.maxLength ?? 40, 40) });
    return fitting.length === 0
      ? matching
      : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...fitting) }, matching);
  } catch {
    return fitting.length === 0 ? candidates : fc.constantFrom(...fitting);
  }
}

const isMoney = ({ properties: { amount, currency, ...more } = {} }: Schema): boolean =>
  amount?.type === 'string' && currency?.type === 'string' && Object.keys(more).length === 0;

/** Objects with all required fields and a quarter of the others. */
function objectOf(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
  inner: (schema: Schema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, field]) => {
    const value = inner(field).map((one): readonly [string, unknown][] => [[name, one]]);
    return required.includes(name)
      ? value
      : fc.oneof({ weight: 3, arbitrary: fc.constant<readonly [string, unknown][]>([]) }, value);
  });
  return fc.tuple(...fields).map((entries) => Object.fromEntries(entries.flat()));
}

function valueOf(schema: Schema, defs: Definitions, known: KnownIds, depth: number): fc.Arbitrary<unknown> {
  const inner = (one: Schema): fc.Arbitrary<unknown> => valueOf(one, defs, known, depth + 1);
  if (schema.$ref) return inner(defs[schema.$ref.slice('#/$defs/'.length)] ?? {});
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) {
    const each = fc.constantFrom(...schema.enum);
    return schema.enum.includes('TWD') ? fc.oneof({ weight: 6, arbitrary: fc.constant('TWD') }, each) : each;
  }
  const any = schema.anyOf ?? schema.oneOf;
  if (any) return depth > 6 ? inner(any[0] ?? {}) : fc.oneof(...any.map(inner));
  if (schema.allOf) return inner(Object.assign({}, ...schema.allOf) as Schema);
  if (schema.properties)
    return isMoney(schema) ? amounts : objectOf(schema.properties, schema.required, inner);
  if (schema.type === 'object') {
    const value =
      typeof schema.additionalProperties === 'object' ? inner(schema.additionalProperties) : texts;
    const name = schema.propertyNames ? inner(schema.propertyNames).map(String) : texts;
    return fc.dictionary(name, value, { maxKeys: 3 });
  }
  if (schema.type === 'array')
    return fc.array(inner(schema.items ?? {}), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 3)),
    });
  if (schema.type === 'integer' || schema.type === 'number') {
    const [least, most] = [schema.minimum ?? -Infinity, schema.maximum ?? Infinity];
    const extremes = [schema.minimum, schema.maximum].filter((one) => one !== undefined);
    return fc.oneof(
      numbers.map((one) => Math.min(most, Math.max(least, one))),
      ...extremes.map((one) => fc.constant(one)),
    );
  }
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  return schema.type === 'string' ? textOf(schema, known) : fc.oneof(texts, decimals, fc.constant({}));
}

/** Replaces one value somewhere in `input` by a hostile one. */
function spoiled(input: unknown, path: readonly number[], by: unknown): unknown {
  if (typeof input !== 'object' || input === null || path.length === 0) return by;
  const entries = Object.entries(input);
  const [place = 0, ...rest] = path;
  const chosen = entries[place % Math.max(1, entries.length)];
  if (!chosen) return by;
  const replaced = entries.map(([name, value]): [string, unknown] => [
    name,
    name === chosen[0] ? spoiled(value, rest, by) : value,
  ]);
  return Array.isArray(input) ? replaced.map(([, value]) => value) : Object.fromEntries(replaced);
}

/** Inputs for a schema, a quarter of them with one hostile value. */
export function anyInput(shape: z.ZodMiniObject, known: KnownIds): fc.Arbitrary<Record<string, unknown>> {
  const { $defs: defs = {}, ...schema } = schemaOf(shape);
  const valid = valueOf(schema, defs, known, 0) as fc.Arbitrary<Record<string, unknown>>;
  const path = fc.array(fc.nat(20), { minLength: 1, maxLength: 4 });
  const bad = fc
    .tuple(valid, path, hostile)
    .map(([input, at, by]) => spoiled(input, at, by) as Record<string, unknown>);
  return fc.oneof({ weight: 3, arbitrary: valid }, { weight: 1, arbitrary: bad });
}
