// Stores rejected events in the same transaction as the accepted ones, so that every rejection in a response
// can be found here.
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import { subscriptionsByIds } from '#features/selling/subscriptions/server/index.ts';
import type { RejectedEvent } from '#features/metering/usage/server/index.ts';
import { storedFormOf, storableParams } from '../rules.ts';
import { upsertRejected, type RejectedRow } from './store-upsert.ts';

/**
 * Stores events rejected for keys; a repeat of the same event with the same reason increments its count.
 * Imports report their own reasons.
 */
export async function storeRejected(ctx: Ctx, rejected: readonly RejectedEvent[]): Promise<void> {
  const rows = new Map<string, RejectedRow>();
  for (const { raw, code, params, organizationId, keyId } of rejected) {
    if (keyId === null) continue;
    const { content, ...stored } = storedFormOf(raw);
    const digest = digestOf({ keyId, code, params: storableParams(params), content });
    const name = digest.toString('base64');
    const existing = rows.get(name);
    rows.set(
      name,
      existing
        ? { ...existing, times: existing.times + 1 }
        : {
            ...stored,
            id: ctx.newId('rej'),
            organizationId,
            keyOrganizationId: organizationId,
            keyId,
            digest,
            code,
            params: storableParams(params),
            times: 1,
          },
    );
  }
  if (rows.size > 0) await upsertRejected(ctx, await withOrganizations(ctx, [...rows.values()]));
}

/**
 * The digest of an event, its reason and its key. It covers the whole event, even if only its beginning is
 * stored.
 */
export function digestOf({
  keyId,
  code,
  params,
  content,
}: {
  keyId: string;
  code: string;
  params: Readonly<Record<string, unknown>>;
  content: string;
}): Buffer {
  return sha256(JSON.stringify([keyId, code, params, content]));
}

/** A platform key sends for all organizations, so an event's organization is its subscription's. */
async function withOrganizations(ctx: Ctx, rows: readonly RejectedRow[]): Promise<readonly RejectedRow[]> {
  const subjects = new Set(
    rows.flatMap((row) => (row.organizationId === null && row.subject !== null ? [row.subject] : [])),
  );
  if (subjects.size === 0) return rows;
  const owners = new Map(
    (await subscriptionsByIds(ctx.db, [...subjects])).map((row): [string, Id<'org'>] => [
      row.id,
      row.organizationId,
    ]),
  );
  return rows.map((row) => ({
    ...row,
    organizationId: row.organizationId ?? owners.get(row.subject ?? '') ?? null,
  }));
}
