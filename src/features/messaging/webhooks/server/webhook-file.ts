// An organization's endpoints as a file in version control, each identified by its address: export, plan and
// apply. A file is applied only if its plan is still the one that was shown.
import type { In, Out } from '#kernel/contract.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import {
  canonical,
  fieldChanges,
  filePlan,
  plannedItem,
  type FilePlan,
  type PlannedItem,
} from '#kernel/file-plan.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { tryOut } from '#platform/server/unit-of-work/try-out.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { shortDigest } from '#platform/server/security/digest.ts';
import {
  maxEndpoints,
  webhookFileVersion,
  webhooksErrors,
  type Endpoint,
  type FileWebhook,
  type webhooks,
} from '../contract.ts';
import { assertTarget, createEndpoint, updateEndpoint } from './endpoints.ts';
import { pageOfEndpoints } from './store.ts';

const everyEndpoint = async (ctx: Ctx): Promise<Endpoint[]> =>
  (await pageOfEndpoints(ctx, tenant(ctx), { limit: maxEndpoints })).items;

/** Exports the endpoints as a file; default values are omitted. */
export async function exportWebhooks(ctx: Ctx): Promise<Out<typeof webhooks.exportWebhooks>> {
  return {
    skytallyWebhooks: webhookFileVersion,
    webhooks: (await everyEndpoint(ctx)).map(({ url, description, eventTypes, isOn }) => ({
      url,
      ...(description !== '' && { description }),
      ...(eventTypes !== null && { eventTypes }),
      ...(!isOn && { isOn }),
    })),
  };
}

/** Plans a file: applies it and rolls back. Throws whatever applying it would throw. */
export async function planWebhooks(ctx: Ctx, { file }: In<typeof webhooks.planWebhooks>): Promise<FilePlan> {
  return (await tryOut(ctx, (trial) => applyFile(trial, file.webhooks, undefined))).shown;
}

/**
 * Applies a file according to the plan that was shown; the secrets of new endpoints are only in this answer.
 */
export async function applyWebhooks(
  ctx: Ctx,
  { file, planId }: In<typeof webhooks.applyWebhooks>,
): Promise<Out<typeof webhooks.applyWebhooks>> {
  const { shown, secrets } = await applyFile(ctx, file.webhooks, planId);
  return { ...shown, secrets };
}

/**
 * Plans a file and carries the plan out. `planId`: the id of the plan that was shown; undefined while
 * planning, when the caller rolls back.
 */
async function applyFile(
  ctx: Ctx,
  entries: readonly FileWebhook[],
  planId: string | undefined,
): Promise<{ readonly shown: FilePlan; readonly secrets: { url: string; secret: string }[] }> {
  await lockUntilEnd(ctx, `webhook file ${tenant(ctx)}`);
  const { shown, steps } = await planOf(ctx, entries);
  if (planId !== undefined && shown.planId !== planId)
    throw domainError(webhooksErrors, 'webhooks.plan_changed', {}, ['planId']);
  const { created, updated, unchanged } = shown;
  ctx.audit('webhooks.applyWebhooks', undefined, { planId: shown.planId, created, updated, unchanged });
  const secrets: { url: string; secret: string }[] = [];
  for (const { planned, existing, wanted } of steps) {
    if (planned.action === 'unchanged') continue;
    const made = existing ? undefined : await createEndpoint(ctx, wanted);
    if (made) secrets.push({ url: wanted.url, secret: made.secret });
    const endpoint = existing ?? made?.endpoint;
    // A new endpoint starts enabled; one that the file disables is then disabled like manually.
    if (endpoint && (existing !== undefined || !wanted.isOn))
      await updateEndpoint(ctx, { endpointId: endpoint.id, ...wanted });
  }
  return { shown, secrets };
}

type Step = {
  readonly wanted: Required<FileWebhook>;
  readonly existing: Endpoint | undefined;
  readonly planned: PlannedItem;
};

async function planOf(
  ctx: Ctx,
  entries: readonly FileWebhook[],
): Promise<{ shown: FilePlan; steps: readonly Step[] }> {
  const endpoints = await everyEndpoint(ctx);
  const steps = entries.map((each, index): Step => {
    const at = `file.webhooks.${index}.url`;
    if (entries.findIndex(({ url }) => url === each.url) !== index)
      throw domainError(webhooksErrors, 'webhooks.file_named_twice', {}, [at]);
    const found = endpoints.filter(({ url }) => url === each.url);
    if (found.length > 1) throw domainError(webhooksErrors, 'webhooks.file_ambiguous', {}, [at]);
    assertTargetAt(ctx, each.url, at);
    const wanted = {
      url: each.url,
      description: each.description ?? '',
      eventTypes: each.eventTypes ?? null,
      isOn: each.isOn ?? true,
    };
    const [existing] = found;
    return { wanted, existing, planned: plannedItem(each.url, !existing, fieldChanges(existing, wanted)) };
  });
  const planned = steps.map((step) => step.planned);
  if (endpoints.length + planned.filter(({ action }) => action === 'create').length > maxEndpoints)
    throw domainError(webhooksErrors, 'webhooks.too_many', { most: maxEndpoints });
  const basis = canonical([planned, endpoints.map(({ id, url }) => [id, url])]);
  return { shown: filePlan(planned, endpoints.length, shortDigest(basis)), steps };
}

/** Reports an address error at its position in the file. */
function assertTargetAt(ctx: Ctx, url: string, at: string): void {
  try {
    assertTarget(ctx, url);
  } catch (error) {
    if (error instanceof ValidationError)
      throw new ValidationError(error.fields.map((each) => ({ ...each, field: at })));
    throw error;
  }
}
