// Calls an API verb from a command: with the same contract, input checks and unit of work, but another actor.
import * as z from 'zod/mini';
import type { Route } from '#kernel/contract.ts';
import { ValidationError } from '#kernel/errors.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { replyWithoutBrowser, type RawInput } from '#platform/server/unit-of-work/feature.ts';
import { fieldErrors } from '#platform/server/http/http-errors.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { cliActor } from './app.ts';
import { features } from '../features.ts';

const caller = { address: '127.0.0.1', host: '', userAgent: 'skytally-cli', once: undefined } as const;

/** Calls a route as the command line, which is recorded in the audit log. Throws what the API would reject. */
export async function callVerb<R extends Route>(
  app: App,
  route: R,
  input: z.input<R['input']>,
  raw?: RawInput,
): Promise<z.output<R['output']>> {
  const feature = features.find((each) => Object.values(each.contract).includes(route));
  const name = feature && Object.keys(feature.contract).find((key) => feature.contract[key] === route);
  const verb = name === undefined ? undefined : feature?.verbs[name];
  if (!feature || !verb || name === undefined)
    throw new Error(`no feature serves ${route.method} ${route.path}`);
  const parsed = z.safeParse(route.input, input);
  if (!parsed.success) throw new ValidationError(fieldErrors(parsed.error.issues));
  const mode = route.method === 'GET' || feature.ownUnitOfWork.includes(name) ? 'read' : 'write';
  return unitOfWork(app, { actor: cliActor, language: 'enUS', mode }, async (ctx) => {
    const answer = await verb(ctx, parsed.data as never, replyWithoutBrowser({ ...caller, raw }));
    if (mode === 'write') ctx.audit(`${feature.name}.${name}`);
    return answer as z.output<R['output']>;
  });
}
