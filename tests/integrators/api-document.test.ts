// The API document as client generators read it: every reference resolves, every call and every schema has a
// name.
import { beforeAll, describe, expect, it } from 'vitest';
import { apiDocument } from '#app/api-document.ts';
import { everyFeature } from '#app/every-feature.ts';

type Json = { readonly [key: string]: unknown };
let document: Json;
let schemas: Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null;
/** Every object of the document, with its path. */
function* objects(value: unknown, way: string): Generator<{ way: string; object: Json }> {
  if (!isRecord(value)) return;
  yield { way, object: value };
  for (const [key, each] of Object.entries(value)) yield* objects(each, `${way}/${key}`);
}

beforeAll(async () => {
  // As a client gets it.
  document = JSON.parse(
    JSON.stringify(await apiDocument(everyFeature({ jobs: () => [], kinds: () => [] }))),
  ) as Json;
  schemas = (document['components'] as { schemas: Record<string, unknown> }).schemas;
});

describe('T-SDK: the API document', () => {
  it('names exported schemas once, and equal schemas alike', () => {
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Bill', 'BillLine', 'Subscription', 'Organization', 'Money', 'Failure']),
    );
    // Two features have one of this name: each is prefixed by its feature.
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['AdministrationSettings', 'ReconciliationSettings']),
    );
    expect(schemas['BillDetail']).toMatchObject({
      properties: { lines: { items: { $ref: '#/components/schemas/BillLine' } } },
    });
  });

  it('resolves every reference, with names that generators accept', () => {
    const references = [...objects(document, '')].flatMap(({ object: { $ref } }) =>
      typeof $ref === 'string' ? [$ref] : [],
    );
    expect(references.length).toBeGreaterThan(1000);
    const ends = new Set(Object.keys(schemas).map((name) => `#/components/schemas/${name}`));
    expect([...new Set(references)].filter((each) => !ends.has(each))).toEqual([]);
    expect(Object.keys(schemas).filter((name) => !/^[A-Za-z][A-Za-z0-9.]*$/.test(name))).toEqual([]);
    // Internal markers for naming schemas are not in the document.
    expect(
      [...objects(document, '')].filter(({ object }) => '$defs' in object || '$schema' in object),
    ).toEqual([]);
  });

  it('has one operationId for each call', () => {
    const ids = Object.values(
      document['paths'] as Record<string, Record<string, { operationId?: string }>>,
    ).flatMap((calls) => Object.values(calls).map(({ operationId }) => operationId ?? 'none'));
    expect(ids.length).toBeGreaterThan(450);
    expect(ids).not.toContain('none');
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('has a title for each call, a description for what the title does not say, and a group for each feature', () => {
    const calls = Object.values(document['paths'] as Record<string, Record<string, Json>>).flatMap((each) =>
      Object.values(each),
    );
    const titles = calls.map(({ summary }) => String(summary));
    expect(titles.filter((title) => !/^[A-Z][a-z-]+ .*[^.]$/.test(title) || title.length > 50)).toEqual([
      'Register',
    ]);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
    const paragraphs = calls.flatMap(({ description }) => String(description).split('\n\n'));
    expect(paragraphs.filter((each) => !/^[A-Z`].*\.$/.test(each))).toEqual([]);

    const tags = document['tags'] as { name: string; 'x-displayName'?: string }[];
    expect(tags.filter((tag) => tag['x-displayName'] === undefined)).toEqual([]);
    const groups = document['x-tagGroups'] as { tags: string[] }[];
    expect(groups.flatMap((group) => group.tags).toSorted()).toEqual(tags.map(({ name }) => name).toSorted());
  });

  it('has the same content in OpenAPI 3.0, in its own terms', async () => {
    const features = everyFeature({ jobs: () => [], kinds: () => [] });
    const older = JSON.parse(JSON.stringify(await apiDocument(features, '3.0'))) as Json;
    expect(older['openapi']).toBe('3.0.3');
    expect(Object.keys(older['paths'] as Json)).toEqual(Object.keys(document['paths'] as Json));
    expect(Object.keys((older['components'] as { schemas: Json }).schemas).toSorted()).toEqual(
      Object.keys(schemas).toSorted(),
    );
    // These are keywords of a schema; a field may have the same name.
    const newer = ['const', 'examples', '$defs', 'definitions', 'propertyNames', 'identifier'];
    const said = [...objects(older, '')]
      .filter(({ way }) => !way.endsWith('/properties'))
      .flatMap(({ way, object }) => [
        ...newer.filter((word) => word in object).map((word) => `${way}: ${word}`),
        ...(Array.isArray(object['type']) || object['type'] === 'null' ? [`${way}: type`] : []),
        ...('$ref' in object && Object.keys(object).length > 1 ? [`${way}: $ref`] : []),
      ]);
    expect(said).toEqual([]);
  });

  it('describes every field, except those that contain any JSON', () => {
    const isSchema = /\/(?:schema|items|additionalProperties)$|\/properties\/[^/]+$|\/(?:anyOf|oneOf)\/\d+$/;
    const open = [...objects(document, '')]
      .filter(({ way, object }) => isSchema.test(way) && Object.keys(object).length === 0)
      .map(({ way }) => way);
    expect(open.toSorted()).toMatchInlineSnapshot(`
      [
        "/components/schemas/DataSchema/additionalProperties",
        "/components/schemas/MadeCredential/properties/clientExtensionResults/additionalProperties",
        "/components/schemas/SettingsChange/properties/changes/items/properties/after",
        "/components/schemas/SettingsChange/properties/changes/items/properties/before",
        "/components/schemas/SignedCredential/properties/clientExtensionResults/additionalProperties",
        "/components/schemas/UsageEvent/properties/properties/anyOf/0/additionalProperties",
        "/paths//api/admin/usage/rejected/{rejectedId}/replay/post/requestBody/content/application/json/schema/properties/event",
        "/paths//api/usage/rejected/{rejectedId}/replay/post/requestBody/content/application/json/schema/properties/event",
        "/paths//api/usage/reservations/{reservationId}/commit/post/requestBody/content/application/json/schema/properties/data/additionalProperties",
        "/paths//api/user/passkey-login/options/post/responses/200/content/application/json/schema/properties/data/additionalProperties",
        "/paths//api/user/passkeys/options/post/responses/200/content/application/json/schema/properties/data/additionalProperties",
      ]
    `);
  });
});
