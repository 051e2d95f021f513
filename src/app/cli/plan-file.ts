// Files kept in version control besides the catalog: organizations and webhooks, exported, planned and
// applied.
import { writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { stringify } from 'yaml';
import * as z from 'zod/mini';
import type { Route } from '#kernel/contract.ts';
import { ValidationError } from '#kernel/errors.ts';
import { FilePlan, type PlannedItem } from '#kernel/file-plan.ts';
import { fieldErrors } from '#platform/server/http/http-errors.ts';
import { identity } from '#features/access/identity/contract.ts';
import { webhooks } from '#features/messaging/webhooks/contract.ts';
import type { Answer } from './answer.ts';
import type { Call } from './caller.ts';
import { readStructured } from './structured-file.ts';

type FileKind = {
  readonly export: (call: Call) => Promise<unknown>;
  readonly plan: (call: Call, file: unknown) => Promise<FilePlan>;
  readonly apply: (call: Call, file: unknown, planId: string) => Promise<Applied>;
};
type Applied = FilePlan & {
  /** The secrets of new webhooks, shown once. */ readonly secrets?:
    | readonly { readonly url: string; readonly secret: string }[]
    | null;
};

/** A route's input that contains the file. @throws ValidationError naming the invalid fields */
function inputOf<R extends Route>(route: R, input: unknown): z.input<R['input']> {
  const parsed = z.safeParse(route.input, input);
  if (!parsed.success) throw new ValidationError(fieldErrors(parsed.error.issues));
  return z.encode(route.input, parsed.data) as z.input<R['input']>;
}

/** The kinds of files, by the name of their command. */
export const fileKinds = {
  organizations: {
    export: async (call) =>
      z.encode(identity.exportOrganizations.output, await call(identity.exportOrganizations, {})),
    plan: (call, file) => call(identity.planOrganizations, inputOf(identity.planOrganizations, { file })),
    apply: (call, file, planId) =>
      call(identity.applyOrganizations, inputOf(identity.applyOrganizations, { file, planId })),
  },
  webhooks: {
    export: async (call) => z.encode(webhooks.exportWebhooks.output, await call(webhooks.exportWebhooks, {})),
    plan: (call, file) => call(webhooks.planWebhooks, inputOf(webhooks.planWebhooks, { file })),
    apply: (call, file, planId) =>
      call(webhooks.applyWebhooks, inputOf(webhooks.applyWebhooks, { file, planId })),
  },
} as const satisfies Readonly<Record<string, FileKind>>;
export type FileWord = keyof typeof fileKinds;

// The version of a file's format is its only number.
const wholeNumbers: ReadonlySet<unknown> = new Set(['skytallyOrganizations', 'skytallyWebhooks']);
const signs = { create: '+', update: '~', unchanged: ' ' } as const;

const itemLines = ({ name, action, changes }: PlannedItem): string[] => [
  `${signs[action]} ${name}`,
  ...changes.map(
    ({ field, before, after }) =>
      `    ${field}: ${before === null ? after : `${before} -> ${after ?? 'nothing'}`}`,
  ),
];

/** Writes the current state to a file, or returns it as YAML. */
export async function exportFile(call: Call, word: FileWord, path: string | undefined): Promise<Answer> {
  const data = await fileKinds[word].export(call);
  const isJson = path !== undefined && extname(path).toLowerCase() === '.json';
  const text = isJson ? `${JSON.stringify(data, null, 2)}\n` : stringify(data, { lineWidth: 0 });
  if (path === undefined) return { data, lines: [text.trimEnd()] };
  writeFileSync(path, text);
  return { data, lines: [`Written to ${path}.`] };
}

/** Shows what applying a file would do; `program` is the name of this command line, for the hint on how to apply it. */
export async function planFile(call: Call, program: string, word: FileWord, path: string): Promise<Answer> {
  const plan = await fileKinds[word].plan(call, readStructured(path, wholeNumbers));
  const { planId, created, updated, unchanged, notNamed, items } = plan;
  return {
    data: plan,
    lines: [
      `Plan ${planId}: ${created} to create, ${updated} to update, ${unchanged} unchanged, ${notNamed} not in the file (they stay).`,
      ...items.filter(({ action }) => action !== 'unchanged').flatMap(itemLines),
      created + updated === 0
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
  const done: Applied = await fileKinds[word].apply(call, readStructured(path, wholeNumbers), planId);
  return {
    data: done,
    lines: [
      `Applied: ${done.created} created, ${done.updated} updated, ${done.unchanged} unchanged.`,
      ...(done.secrets ?? []).map(({ url, secret }) => `${url}: ${secret} (shown this once)`),
    ],
  };
}
