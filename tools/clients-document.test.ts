import { describe, expect, it } from 'vitest';
import { documentForGenerators, type Document, type Json } from './clients-document.ts';

/** A document with one call whose body has the schema as its only field. */
const documentOf = (field: Json, schemas: Record<string, Json> = {}): Document => ({
  openapi: '3.0.3',
  info: {},
  servers: [],
  paths: {
    '/api/things': {
      post: {
        operationId: 'shop.makeThing',
        tags: ['shop'],
        requestBody: {
          content: { 'application/json': { schema: { type: 'object', properties: { field } } } },
        },
        responses: { 303: { description: 'Elsewhere.' } },
      },
      get: { operationId: 'stock.listThings', tags: ['stock'], responses: {} },
    },
  },
  components: { securitySchemes: {}, schemas },
});
/** The result for the field, and the named schemas that it produces. */
const made = (field: Json, schemas?: Record<string, Json>) => {
  const { ShopMakeThingBody: body, ...named } = documentForGenerators(documentOf(field, schemas)).components
    .schemas as Record<string, { properties: { field: Json } }>;
  return { field: body?.properties.field, named };
};
const object = (properties: Json, ...required: string[]): Json => ({ type: 'object', properties, required });
const text = { type: 'string' };

describe('T-SDK: the document for client generators', () => {
  it('names anonymous schemas by their place', () => {
    expect(made(object({ 'unit-price': object({ amount: text }) }, 'unit-price'))).toEqual({
      field: { $ref: '#/components/schemas/ShopMakeThingBodyField' },
      named: {
        ShopMakeThingBodyField: {
          type: 'object',
          required: ['unit-price'],
          properties: { 'unit-price': { $ref: '#/components/schemas/ShopMakeThingBodyFieldUnitPrice' } },
        },
        ShopMakeThingBodyFieldUnitPrice: { type: 'object', properties: { amount: text } },
      },
    });
    expect(made({ type: 'array', items: object({ amount: text }) }).field).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/ShopMakeThingBodyFieldItem' },
    });
    expect(made({ type: 'object', additionalProperties: object({ amount: text }) }).field).toEqual({
      type: 'object',
      additionalProperties: { $ref: '#/components/schemas/ShopMakeThingBodyFieldValue' },
    });
  });

  it.each<[string, Json, Json]>([
    ['validation is left to the console', { ...text, pattern: '^a$', maxLength: 3 }, text],
    ['a choice is text', { ...text, enum: ['a', 'b'] }, { ...text, description: 'One of a, b.' }],
    [
      'whole numbers do not overflow',
      { type: 'integer', maximum: 9e15 },
      { type: 'integer', format: 'int64' },
    ],
    ['numbers keep their digits', { type: 'number' }, { type: 'number', format: 'double' }],
    ['moments stay', { ...text, format: 'date-time', pattern: 'x' }, { ...text, format: 'date-time' }],
    ['null stays', { ...text, nullable: true }, { ...text, nullable: true }],
    [
      'texts are a text',
      {
        anyOf: [
          { ...text, enum: [''] },
          { ...text, format: 'email' },
        ],
      },
      text,
    ],
    [
      'choices are one',
      {
        anyOf: [
          { ...text, enum: ['a'] },
          { ...text, enum: ['b'] },
        ],
      },
      { ...text, description: 'One of a, b.' },
    ],
    ['text or number is anything', { anyOf: [text, { type: 'integer' }] }, {}],
    [
      'the same twice is once',
      { anyOf: [{ type: 'integer' }, { type: 'integer' }] },
      { type: 'integer', format: 'int64' },
    ],
    [
      'a map of anything is one',
      { type: 'object', additionalProperties: {} },
      { type: 'object', additionalProperties: {} },
    ],
  ])('%s', (_name, given, expected) => expect(made(given)).toEqual({ field: expected, named: {} }));

  it('merges alternatives into one schema: the fields of all, required where each requires them', () => {
    const flat = object({ kind: { ...text, enum: ['flat'] }, fee: text }, 'kind', 'fee');
    const each = object({ kind: { ...text, enum: ['each'] }, price: { type: 'integer' } }, 'kind', 'price');
    expect(made({ oneOf: [flat, { $ref: '#/components/schemas/Each' }] }, { Each: each }).named).toEqual({
      ShopMakeThingBodyField: {
        type: 'object',
        required: ['kind'],
        properties: {
          kind: { ...text, description: 'One of flat, each.' },
          fee: text,
          price: { type: 'integer', format: 'int64' },
        },
      },
    });
  });

  it('keeps a named schema once, also a recursive one, and keeps nullability of references', () => {
    const tree = object({ children: { type: 'array', items: { $ref: '#/components/schemas/shop.tree' } } });
    const own = { $ref: '#/components/schemas/shop.tree' };
    const named = {
      ShopTree: {
        type: 'object',
        properties: { children: { type: 'array', items: { $ref: '#/components/schemas/ShopTree' } } },
      },
    };
    expect(made(own, { 'shop.tree': tree })).toEqual({
      field: { $ref: '#/components/schemas/ShopTree' },
      named,
    });
    expect(made({ allOf: [own], nullable: true }, { 'shop.tree': tree })).toEqual({
      field: { allOf: [{ $ref: '#/components/schemas/ShopTree' }], nullable: true },
      named,
    });
    // A schema without fields is inlined.
    expect(made({ $ref: '#/components/schemas/Text' }, { Text: text, Unused: text })).toEqual({
      field: text,
      named: {},
    });
  });

  it('keeps only the calls of the requested features', () => {
    const { paths, components } = documentForGenerators(documentOf(object({ a: text })), ['stock']);
    expect(Object.keys(paths['/api/things'] ?? {})).toEqual(['get']);
    expect(components.schemas).toEqual({});
  });
});
