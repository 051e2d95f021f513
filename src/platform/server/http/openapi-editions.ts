// The editions of OpenAPI that the document of the API can be had in.

export type Json = { [key: string]: unknown };

/** How an edition of OpenAPI says what the two say differently. What Zod makes is told apart by its own target. */
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
  /** A schema, or null. */
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
  // Knows neither `const` nor lists of types, and null only as something that a type may also be.
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
/** The editions of OpenAPI that the document can be had in. */
export type OpenApiEdition = keyof typeof editions;
