// The catalog as a file on disk, YAML or JSON: exported, planned and applied by `catalogue` in both command
// lines.
import { writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { stringify } from 'yaml';
import * as z from 'zod/mini';
import { ValidationError } from '#kernel/errors.ts';
import { catalogue, CatalogueFile } from '#features/selling/catalogue/contract.ts';
import type { CataloguePlan, PlannedService } from '#features/selling/catalogue/contract-file.ts';
import { fieldErrors } from '#platform/server/http/http-errors.ts';
import type { Answer } from './answer.ts';
import type { Call } from './caller.ts';
import { readStructured } from './structured-file.ts';

/** Integer fields; all other figures are exact decimals, which the API takes as text. */
const wholeNumbers: ReadonlySet<unknown> = new Set([
  'skytallyCatalogue',
  'trialDays',
  'freeEvents',
  'p',
  'sampleMinutes',
]);

/** Parses a file into the form of a request. @throws ValidationError naming the invalid fields */
function fileOf(path: string): z.input<typeof CatalogueFile> {
  const parsed = z.safeParse(CatalogueFile, readStructured(path, wholeNumbers));
  if (!parsed.success)
    throw new ValidationError(
      fieldErrors(parsed.error.issues).map((each) => ({ ...each, field: `file.${each.field}` })),
    );
  return z.encode(CatalogueFile, parsed.data);
}

const values = ({ before, after }: PlannedService['changes'][number]): string =>
  before === null ? String(after) : `${before} -> ${after ?? 'nothing'}`;

function lines({ planId, created, updated, unchanged, notNamed, meters, services }: CataloguePlan): string[] {
  const signs = { create: '+', update: '~', unchanged: ' ' } as const;
  return [
    `Plan ${planId}: ${created} to create, ${updated} to update, ${unchanged} unchanged, ${notNamed} not in the file (they stay).`,
    ...meters.filter(({ action }) => action === 'create').map(({ key, name }) => `+ meter ${name} (${key})`),
    ...services
      .filter(({ action }) => action !== 'unchanged')
      .flatMap(({ action, name, ref, newPriceFrom, changes }) => [
        `${signs[action]} ${name}${ref === null ? '' : ` (${ref})`}`,
        ...(newPriceFrom ? [`    new price from ${newPriceFrom.toISOString()}`] : []),
        ...changes.map((change) => `    ${change.field}: ${values(change)}`),
      ]),
  ];
}

const planData = (plan: CataloguePlan): unknown => z.encode(catalogue.planCatalogue.output, plan);

/** Writes the catalog to a file, or returns it as YAML. */
export async function exportCatalogue(call: Call, path: string | undefined): Promise<Answer> {
  const data = z.encode(catalogue.exportCatalogue.output, await call(catalogue.exportCatalogue, {}));
  const isJson = path !== undefined && extname(path).toLowerCase() === '.json';
  const text = isJson ? `${JSON.stringify(data, null, 2)}\n` : stringify(data, { lineWidth: 0 });
  if (path === undefined) return { data, lines: [text.trimEnd()] };
  writeFileSync(path, text);
  return { data, lines: [`${data.services.length} services written to ${path}.`] };
}

/** Shows what applying a file would do; `program` is the name of this command line, for the hint on how to apply it. */
export async function planCatalogue(call: Call, program: string, path: string): Promise<Answer> {
  const plan = await call(catalogue.planCatalogue, { file: fileOf(path) });
  const isNothing =
    plan.created + plan.updated === 0 && plan.meters.every(({ action }) => action === 'unchanged');
  return {
    data: planData(plan),
    lines: [
      ...lines(plan),
      isNothing
        ? 'Nothing to do.'
        : `To apply exactly this: ${program} catalogue apply ${path} --plan ${plan.planId}`,
    ],
  };
}

/** Applies a file as planned; without a plan it only shows one and changes nothing. */
export async function applyCatalogue(
  call: Call,
  program: string,
  path: string,
  planId: string | undefined,
): Promise<Answer> {
  if (planId === undefined) {
    const shown = await planCatalogue(call, program, path);
    return { ...shown, status: 1 };
  }
  const plan = await call(catalogue.applyCatalogue, { file: fileOf(path), planId });
  return {
    data: planData(plan),
    lines: [`Applied: ${plan.created} created, ${plan.updated} updated, ${plan.unchanged} unchanged.`],
  };
}
