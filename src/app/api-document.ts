// The API document of all features, for /api/openapi.json and the clients generated from it. Its schemas have
// the names under which the contracts export them.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod/mini';
import { openApiDocument, type SchemaNames } from '#platform/server/http/openapi.ts';
import type { OpenApiEdition } from '#platform/server/http/openapi-editions.ts';
import { moneyWire } from '#kernel/shape.ts';
import type { Feature } from '#platform/server/unit-of-work/feature.ts';
import { version } from '#platform/server/version.ts';
import { Waiting } from '#features/access/approvals/contract.ts';
import { choices } from './approvals/choices.ts';
import { introduction, tagGroups, tagsOf } from './api-reference.ts';
import { permissionOf } from './key-areas.ts';

/** Every schema exported by a contract, with its export name, in file order. */
async function exportedSchemas(): Promise<{ feature: string; name: string; schema: z.core.$ZodType }[]> {
  const found = [];
  const files = globSync(['features/*/*/contract*.ts', 'app/*/contract*.ts'], {
    cwd: join(import.meta.dirname, '..'),
  });
  for (const file of files.filter((each) => !each.endsWith('.test.ts')).toSorted()) {
    const module: Record<string, unknown> = await import(
      pathToFileURL(join(import.meta.dirname, '..', file)).href
    );
    const feature = file.split(/[\\/]/).at(-2) ?? '';
    for (const [name, schema] of Object.entries(module))
      if (/^[A-Z]/.test(name) && schema instanceof z.core.$ZodType) found.push({ feature, name, schema });
  }
  return found;
}

const capitalized = (feature: string): string =>
  feature.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Names for the document's components. Where two features export the same name, the feature's name is
 * prefixed: `MetersMeter`.
 */
async function schemaNames(): Promise<SchemaNames> {
  const found = await exportedSchemas();
  const names: SchemaNames = z.registry();
  names.add(moneyWire, { id: 'Money' });
  const features = new Map<string, Set<string>>();
  for (const { feature, name } of found) features.set(name, (features.get(name) ?? new Set()).add(feature));
  const taken = new Set(['Money', 'Failure']);
  for (const { feature, name, schema } of found) {
    if (names.has(schema)) continue;
    const isShared = (features.get(name)?.size ?? 0) > 1 || taken.has(name);
    const wanted = isShared ? capitalized(feature) + name : name;
    if (taken.has(wanted)) continue;
    taken.add(wanted);
    names.add(schema, { id: wanted });
  }
  return names;
}

/** The document for these features, in OpenAPI 3.1 or, for generators that support nothing newer, 3.0. */
export async function apiDocument(
  features: readonly Feature[],
  edition: OpenApiEdition = '3.1',
): Promise<ReturnType<typeof openApiDocument>> {
  const calls = new Set(Object.values(choices).flatMap(({ calls: each }) => each));
  const waiting = { names: calls, answer: Waiting };
  return openApiDocument(
    features,
    { version, description: introduction, tags: tagsOf(features), groups: tagGroups },
    permissionOf,
    await schemaNames(),
    waiting,
    edition,
  );
}
