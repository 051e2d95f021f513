// The catalogue as a file on disk, YAML or JSON: written, planned and applied by `npm run cli -- catalogue`.
import { readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { isMap, isScalar, parseDocument, stringify, visit } from 'yaml';
import * as z from 'zod/mini';
import { ValidationError } from '#kernel/errors.ts';
import { catalogue, CatalogueFile } from '#features/selling/catalogue/contract.ts';
import type { CataloguePlan, PlannedService } from '#features/selling/catalogue/contract-file.ts';
import { fieldErrors } from '#platform/server/http/http-errors.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import type { Answer } from './answer.ts';
import { callVerb } from './call.ts';
import { CommandRefused } from './command-refused.ts';

/** Fields that are whole numbers; every other figure is an exact decimal, which the API takes as a text. */
const wholeNumbers: ReadonlySet<unknown> = new Set([
  'skytallyCatalogue',
  'trialDays',
  'freeEvents',
  'p',
  'sampleMinutes',
]);

/** A file's content; in YAML a figure keeps the digits that it was written with. */
function read(path: string): unknown {
  const text = readFileSync(path, 'utf8');
  if (extname(path).toLowerCase() === '.json') {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new CommandRefused(
        `${path} is no JSON: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  const document = parseDocument(text);
  const [mistake] = document.errors;
  if (mistake) throw new CommandRefused(`${path} is no YAML: ${mistake.message}`);
  visit(document, {
    Pair: (_key, pair) => {
      const name = isScalar(pair.key) ? pair.key.value : undefined;
      if (isScalar(pair.value) && typeof pair.value.value === 'number' && !wholeNumbers.has(name))
        pair.value.value = pair.value.source ?? String(pair.value.value);
    },
  });
  if (!isMap(document.contents)) throw new CommandRefused(`${path} holds no catalogue.`);
  return document.toJS();
}

/** What a file says, in the form of a request. @throws ValidationError naming the fields that are wrong */
function fileOf(path: string): z.input<typeof CatalogueFile> {
  const parsed = z.safeParse(CatalogueFile, read(path));
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

/** Writes the catalogue to a file, or answers it as YAML. */
export async function exportCatalogue(app: App, path: string | undefined): Promise<Answer> {
  const data = z.encode(catalogue.exportCatalogue.output, await callVerb(app, catalogue.exportCatalogue, {}));
  const isJson = path !== undefined && extname(path).toLowerCase() === '.json';
  const text = isJson ? `${JSON.stringify(data, null, 2)}\n` : stringify(data, { lineWidth: 0 });
  if (path === undefined) return { data, lines: [text.trimEnd()] };
  writeFileSync(path, text);
  return { data, lines: [`${data.services.length} services written to ${path}.`] };
}

/** Shows what applying a file would do. */
export async function planCatalogue(app: App, path: string): Promise<Answer> {
  const plan = await callVerb(app, catalogue.planCatalogue, { file: fileOf(path) });
  const isNothing =
    plan.created + plan.updated === 0 && plan.meters.every(({ action }) => action === 'unchanged');
  return {
    data: planData(plan),
    lines: [
      ...lines(plan),
      isNothing
        ? 'Nothing to do.'
        : `To apply exactly this: npm run cli -- catalogue apply ${path} --plan ${plan.planId}`,
    ],
  };
}

/** Applies a file as it was planned; without a plan it shows one and changes nothing. */
export async function applyCatalogue(app: App, path: string, planId: string | undefined): Promise<Answer> {
  if (planId === undefined) {
    const shown = await planCatalogue(app, path);
    return { ...shown, status: 1 };
  }
  const plan = await callVerb(app, catalogue.applyCatalogue, { file: fileOf(path), planId });
  return {
    data: planData(plan),
    lines: [`Applied: ${plan.created} created, ${plan.updated} updated, ${plan.unchanged} unchanged.`],
  };
}
