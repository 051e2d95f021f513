// The OpenAPI versions in which the API document is available.

export type Json = { [key: string]: unknown };

/**
 * How an OpenAPI version expresses what the versions express differently. Zod handles its own part through
 * its `target` option.
 */
export type Edition = {
  readonly openapi: string;
  readonly target: 'draft-2020-12' | 'openapi-3.0';
  /** Where Zod puts the named parts of a schema. */
  readonly parts: '$defs' | 'definitions';
  readonly hasOneExample: boolean;
  readonly license: Json;
  /** A body that is an object or a list. */
  readonly anyJson: Json;
  readonly nothing: Json;
  /** A schema that may also be null. */
  readonly orNull: (schema: Json) => Json;
  readonly onlyFalse: Json;
};
export const editions = {
  '3.1': {
    openapi: '3.1.0',
    target: 'draft-2020-12',
    parts: '$defs',
    hasOneExample: false,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    anyJson: { type: ['object', 'array'] },
    nothing: { type: 'null' },
    orNull: (schema) => ({ anyOf: [schema, { type: 'null' }] }),
    onlyFalse: { const: false },
  },
  // Supports neither `const` nor lists of types, and null only as `nullable`.
  '3.0': {
    openapi: '3.0.3',
    target: 'openapi-3.0',
    parts: 'definitions',
    hasOneExample: true,
    license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    anyJson: {},
    nothing: { type: 'object', nullable: true },
    orNull: (schema) => ({ allOf: [schema], nullable: true }),
    onlyFalse: { type: 'boolean', enum: [false] },
  },
} satisfies Record<string, Edition>;
/** An OpenAPI version in which the document is available. */
export type OpenApiEdition = keyof typeof editions;
