// Generates an input that matches a schema: for calls that are rejected or held before anything looks at its
// values.
import * as z from 'zod/mini';
import { expect } from 'vitest';
import { schemaOf, type Definitions, type Schema } from './input-schema.ts';

/** Texts that match the various patterns, the simplest first. */
const texts = [
  'x',
  '1',
  '2024-09',
  '2024-09-01',
  'a@b.example',
  'https://a.example',
  '0 0 * * *',
  'example.com',
  '012',
];
const someText = (schema: Schema): unknown => {
  const [example] = schema.examples ?? [];
  if (typeof example === 'string' && example.endsWith('_…'))
    return `${example.slice(0, -1)}01hzzzzzzzzzzzzzzzzzzzzzzz`;
  if (typeof example === 'string') return example;
  if (schema.format === 'date') return '2024-09-01';
  if (schema.format === 'date-time') return '2024-12-01T00:00:00Z';
  if (schema.format === 'email') return 'a@b.example';
  if (schema.format === 'uri') return 'https://a.example';
  const pattern = schema.pattern;
  const fits = texts.find((each) => pattern === undefined || new RegExp(pattern, 'u').test(each)) ?? 'x';
  return fits.padEnd(schema.minLength ?? 0, 'x');
};

function valueOf(schema: Schema, defs: Definitions): unknown {
  if (schema.$ref) return valueOf(defs[schema.$ref.slice('#/$defs/'.length)] ?? {}, defs);
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum.includes('TWD') ? 'TWD' : schema.enum[0];
  const any = schema.anyOf ?? schema.oneOf;
  if (any) return any.some(({ type }) => type === 'null') ? null : valueOf(any[0] ?? {}, defs);
  if (schema.properties?.['amount'] && schema.properties['currency']) {
    const { amount, currency } = schema.properties;
    if (amount.type === 'string' && currency.type === 'string' && Object.keys(schema.properties).length === 2)
      return { amount: '1', currency: 'TWD' };
  }
  if (schema.properties)
    return Object.fromEntries(
      (schema.required ?? []).map((name) => [name, valueOf(schema.properties?.[name] ?? {}, defs)]),
    );
  if (schema.type === 'array')
    return Array.from({ length: schema.minItems ?? 0 }, () => valueOf(schema.items ?? {}, defs));
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1);
  if (schema.type === 'boolean') return false;
  return schema.type === 'string' ? someText(schema) : {};
}

/** An input for a schema; fields that `known` has are taken from it. */
export function sampleInput(
  shape: z.ZodMiniObject,
  known: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const { $defs: defs = {}, ...schema } = schemaOf(shape);
  const made = {
    ...(valueOf(schema, defs) as Record<string, unknown>),
    ...Object.fromEntries(
      Object.entries(known).filter(([name, value]) => name in shape.shape && value !== undefined),
    ),
  };
  const parsed = z.safeParse(shape, made);
  expect(parsed.success, `${JSON.stringify(made)} ${JSON.stringify(parsed.error?.issues)}`).toBe(true);
  return made;
}
