// JSON Schemas of events' data (draft 2020-12): which are allowed, and validation of data.
import { createRequire } from 'node:module';
import type { AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { asError } from '#kernel/errors.ts';
import { linearPattern } from './linear-pattern.ts';
import type { DataSchema } from '../contract.ts';

/** The maximum length of a schema, in characters of JSON. */
export const longestSchema = 16 * 1024;
/**
 * The maximum length of validated data, in characters of JSON: the cost of validation can grow faster than
 * its length.
 */
const longestData = 16 * 1024;
/** `uniqueItems` compares every item with every other. */
const maxUniqueItems = 256;
/** The limit for all patterns of a schema together, in matching steps per character of a text. */
const largestPatterns = 5000;
/** References can multiply the cost of what they refer to. */
const maxReferences = 64;

/**
 * The first error: its position (a JSON pointer, empty for the root) and the violated rule, with the rule's
 * limit.
 */
export type DataIssue = { readonly path: string; readonly rule: string; readonly limit: string };
/** A compiled schema, or why it is not allowed. */
export type CompiledSchema =
  | { readonly check: (data: unknown) => DataIssue | undefined }
  | { readonly reason: string };

const compiled = new LRUCache<string, CompiledSchema>({ max: 500 });

/**
 * Compiles a schema, cached by its text. Forbids references to other documents, patterns that cannot be
 * matched in linear time, and keywords that compare every item with every other: validating one event must
 * never delay the others.
 */
export function compileSchema(schema: DataSchema): CompiledSchema {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known) return known;
  const made = compile(schema, text);
  compiled.set(text, made);
  return made;
}

// Loaded with the first schema, because most consoles have none and loading it would slow down every startup.
const fetchAjv = (): typeof import('ajv/dist/2020.js') =>
  createRequire(import.meta.url)('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');

function compile(schema: DataSchema, text: string): CompiledSchema {
  // Characters that PostgreSQL cannot store: NUL, and lone surrogates (which JSON.stringify writes as
  // escapes).
  if (text.length > longestSchema) return { reason: `longer than ${longestSchema} characters` };
  if (/\\u0000|\\ud[89a-f]/i.test(text)) return { reason: 'contains characters that cannot be stored' };
  try {
    const unsafe = unsafePart(schema);
    if (unsafe !== undefined) return { reason: unsafe };
    const { Ajv2020 } = fetchAjv();
    const patternTest = boundedPatterns();
    const ajv = new Ajv2020({
      strict: false,
      logger: false,
      validateFormats: false,
      ownProperties: true,
      messages: true,
      addUsedSchema: false,
      // Ajv calls only `test` and `toString`, so a pattern never becomes generated code.
      code: {
        regExp: Object.assign(
          (pattern: string) =>
            ({ test: patternTest(pattern), toString: () => `/${pattern}/u` }) as unknown as RegExp,
          { code: 'linearPattern' },
        ),
      },
    });
    const validate = ajv.compile(schema as AnySchemaObject);
    const check = (data: unknown): DataIssue | undefined => issueOf(validate, data);
    // A schema that refers only to itself would be validated endlessly.
    if (check({})?.rule === endless) return { reason: 'refers to itself without an end' };
    return { check };
  } catch (error) {
    return { reason: asError(error).message.slice(0, 300) };
  }
}

/** Compiles the patterns of one schema while their total size is below the limit. */
function boundedPatterns(): (pattern: string) => (text: string) => boolean {
  let size = 0;
  return (pattern) => {
    const made = linearPattern(pattern);
    size += made.size;
    if (size > largestPatterns) throw new Error('its patterns repeat too much');
    return made.test;
  };
}

const endless = 'endless';
const tooLong = 'too_long';

function issueOf(validate: ValidateFunction, data: unknown): DataIssue | undefined {
  if (JSON.stringify(data ?? null).length > longestData)
    return { path: '', rule: tooLong, limit: String(longestData) };
  try {
    if (validate(data ?? null)) return undefined;
  } catch (error) {
    if (error instanceof RangeError) return { path: '', rule: endless, limit: '' };
    throw error;
  }
  const [error] = validate.errors ?? [];
  return error ? ruleOf(error) : { path: '', rule: 'other', limit: '' };
}

const shortest = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
};

/** Translates a validator's error into a code with the parameters of its text. */
function ruleOf({ keyword, instancePath, params, message }: ErrorObject): DataIssue {
  const at = (rule: string, limit: unknown = ''): DataIssue => ({
    path: shortest(instancePath),
    rule,
    limit: shortest(limit),
  });
  switch (keyword) {
    case 'type':
      return at('type', Array.isArray(params['type']) ? params['type'].join(', ') : params['type']);
    case 'required':
      return at('required', params['missingProperty']);
    case 'additionalProperties':
      return at('additional', params['additionalProperty']);
    case 'unevaluatedProperties':
      return at('additional', params['unevaluatedProperty']);
    case 'enum':
      return at('enum', params['allowedValues']);
    case 'const':
      return at('enum', [params['allowedValue']]);
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
    case 'exclusiveMaximum':
      return at('range', `${params['comparison']} ${params['limit']}`);
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return at('at_least', params['limit']);
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return at('at_most', params['limit']);
    case 'pattern':
      return at('pattern', params['pattern']);
    default:
      return at('other', `${keyword}: ${message ?? ''}`);
  }
}

/**
 * Describes the part of a schema that could make validation slow or load something; undefined if there is
 * none.
 */
function unsafePart(schema: unknown): string | undefined {
  let references = 0;
  const open: unknown[] = [schema];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    if (!Array.isArray(part)) {
      const { $async, $id, $ref, $dynamicRef, uniqueItems, maxItems } = part as Record<string, unknown>;
      if ($async !== undefined || $dynamicRef !== undefined || $id !== undefined)
        return '$async, $id and $dynamicRef are not taken';
      if (
        $ref !== undefined &&
        (++references > maxReferences || typeof $ref !== 'string' || !$ref.startsWith('#'))
      )
        return `$ref refers to parts of the schema itself only (“#/$defs/…”), at most ${maxReferences} times`;
      if (uniqueItems === true && !(typeof maxItems === 'number' && maxItems <= maxUniqueItems))
        return `uniqueItems needs maxItems of at most ${maxUniqueItems} beside it`;
    }
    open.push(...Object.values(part));
  }
  return undefined;
}
