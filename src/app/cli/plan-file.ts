// Files kept in version control, YAML or JSON: the catalog, organizations and webhooks, exported, planned and
// applied.
import { writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { stringify } from 'yaml';
import * as z from 'zod/mini';
import { ValidationError } from '#kernel/errors.ts';
import type { FilePlan, PlannedItem } from '#kernel/file-plan.ts';
import { fieldErrors } from '#platform/server/http/http-errors.ts';
import { identity } from '#features/access/identity/contract.ts';
import { webhooks } from '#features/messaging/webhooks/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import type { CataloguePlan, PlannedService } from '#features/selling/catalogue/contract-file.ts';
import type { Answer } from './answer.ts';
import type { Call } from './caller.ts';
import { readStructured } from './structured-file.ts';

/** A plan: its counts, all of it as JSON, and the lines of what it changes. */
type Plan = Omit<FilePlan, 'items'> & { readonly data: unknown; readonly lines: readonly string[] };
type Applied = Plan & {
  /** The lines of what is shown only once. */
  readonly secrets?: readonly string[];
};
export type FileWord = 'catalogue' | 'organizations' | 'webhooks';
type FileKind = {
  /** Integer fields; all other figures are exact decimals, which the API takes as text. */
  readonly wholeNumbers: ReadonlySet<unknown>;
  readonly export: (call: Call) => Promise<unknown>;
  readonly plan: (call: Call, file: unknown) => Promise<Plan>;
  readonly apply: (call: Call, file: unknown, planId: string) => Promise<Applied>;
};

/** A route's input that contains the file. @throws ValidationError naming the invalid fields */
function inputOf<S extends z.ZodMiniType>(schema: S, input: unknown): z.input<S> {
  const parsed = z.safeParse(schema, input);
  if (!parsed.success) throw new ValidationError(fieldErrors(parsed.error.issues));
  return z.encode(schema, parsed.data);
}

const signs = { create: '+', update: '~', unchanged: ' ' } as const;
const isChange = ({ action }: { readonly action: keyof typeof signs }): boolean => action !== 'unchanged';

const fieldLine = ({ field, before, after }: PlannedService['changes'][number]): string =>
  `    ${field}: ${before === null ? String(after) : `${before} -> ${after ?? 'nothing'}`}`;

const itemLines = ({ name, action, changes }: PlannedItem): string[] => [
  `${signs[action]} ${name}`,
  ...changes.map(fieldLine),
];

const serviceLines = ({ action, name, ref, newPriceFrom, changes }: PlannedService): string[] => [
  `${signs[action]} ${name}${ref === null ? '' : ` (${ref})`}`,
  ...(newPriceFrom ? [`    new price from ${newPriceFrom.toISOString()}`] : []),
  ...changes.map(fieldLine),
];

const planOfItems = (plan: FilePlan): Plan => ({
  ...plan,
  data: plan,
  lines: plan.items.filter(isChange).flatMap(itemLines),
});

const planOfCatalogue = (plan: CataloguePlan): Plan => ({
  ...plan,
  data: z.encode(catalogue.planCatalogue.output, plan),
  lines: [
    ...plan.meters.filter(isChange).map(({ key, name }) => `+ meter ${name} (${key})`),
    ...plan.services.filter(isChange).flatMap(serviceLines),
  ],
});

/** The kinds of files, by the name of their command. */
const fileKinds: Readonly<Record<FileWord, FileKind>> = {
  catalogue: {
    wholeNumbers: new Set(['skytallyCatalogue', 'trialDays', 'freeEvents', 'p', 'sampleMinutes']),
    export: async (call) =>
      z.encode(catalogue.exportCatalogue.output, await call(catalogue.exportCatalogue, {})),
    plan: async (call, file) =>
      planOfCatalogue(await call(catalogue.planCatalogue, inputOf(catalogue.planCatalogue.input, { file }))),
    apply: async (call, file, planId) =>
      planOfCatalogue(
        await call(catalogue.applyCatalogue, inputOf(catalogue.applyCatalogue.input, { file, planId })),
      ),
  },
  organizations: {
    wholeNumbers: new Set(['skytallyOrganizations']),
    export: async (call) =>
      z.encode(identity.exportOrganizations.output, await call(identity.exportOrganizations, {})),
    plan: async (call, file) =>
      planOfItems(
        await call(identity.planOrganizations, inputOf(identity.planOrganizations.input, { file })),
      ),
    apply: async (call, file, planId) =>
      planOfItems(
        await call(identity.applyOrganizations, inputOf(identity.applyOrganizations.input, { file, planId })),
      ),
  },
  webhooks: {
    wholeNumbers: new Set(['skytallyWebhooks']),
    export: async (call) => z.encode(webhooks.exportWebhooks.output, await call(webhooks.exportWebhooks, {})),
    plan: async (call, file) =>
      planOfItems(await call(webhooks.planWebhooks, inputOf(webhooks.planWebhooks.input, { file }))),
    apply: async (call, file, planId) => {
      const done = await call(
        webhooks.applyWebhooks,
        inputOf(webhooks.applyWebhooks.input, { file, planId }),
      );
      return {
        ...planOfItems(done),
        secrets: (done.secrets ?? []).map(({ url, secret }) => `${url}: ${secret} (shown this once)`),
      };
    },
  },
};

/** Writes the current state to a file, or returns it as YAML. */
export async function exportFile(call: Call, word: FileWord, path: string | undefined): Promise<Answer> {
  const data = await fileKinds[word].export(call);
  const isJson = path !== undefined && extname(path).toLowerCase() === '.json';
  const text = isJson ? `${JSON.stringify(data, null, 2)}\n` : stringify(data, { lineWidth: 0 });
  if (path === undefined) return { data, lines: [text.trimEnd()] };
  writeFileSync(path, text);
  return { data, lines: [`Written to ${path}.`] };
}

const fileAt = (path: string, word: FileWord): unknown => readStructured(path, fileKinds[word].wholeNumbers);

/** Shows what applying a file would do; `program` is the name of this command line, for the hint on how to apply it. */
export async function planFile(call: Call, program: string, word: FileWord, path: string): Promise<Answer> {
  const plan = await fileKinds[word].plan(call, fileAt(path, word));
  const { planId, created, updated, unchanged, notNamed, data, lines } = plan;
  return {
    data,
    lines: [
      `Plan ${planId}: ${created} to create, ${updated} to update, ${unchanged} unchanged, ${notNamed} not in the file (they stay).`,
      ...lines,
      lines.length === 0
        ? 'Nothing to do.'
        : `To apply exactly this: ${program} ${word} apply ${path} --plan ${planId}`,
    ],
  };
}

/** Applies a file as planned; without a plan it only shows one and changes nothing. */
export async function applyFile(
  call: Call,
  program: string,
  word: FileWord,
  path: string,
  planId: string | undefined,
): Promise<Answer> {
  if (planId === undefined) return { ...(await planFile(call, program, word, path)), status: 1 };
  const {
    created,
    updated,
    unchanged,
    data,
    secrets = [],
  } = await fileKinds[word].apply(call, fileAt(path, word), planId);
  return {
    data,
    lines: [`Applied: ${created} created, ${updated} updated, ${unchanged} unchanged.`, ...secrets],
  };
}
