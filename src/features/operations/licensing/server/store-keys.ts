// SQL of signing keys.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

export type StoredKey = {
  readonly keyId: string;
  readonly publicKey: string;
  readonly sealed: Buffer | null;
  readonly madeAt: Date | null;
  readonly retiredAt: Date | null;
};

/** Returns all keys, the signing one first, then newest first. */
export async function storedKeys(ctx: Ctx): Promise<StoredKey[]> {
  const { rows } =
    await sql<StoredKey>`select id as "keyId", public_key as "publicKey", sealed, made_at as "madeAt", retired_at as "retiredAt" from licence_key
    order by retired_at is null desc, retired_at desc, made_at desc nulls last, id`.execute(ctx.db);
  return rows;
}

/** Stores the installation's own key, once. The caller must hold the lock of the keys. */
export async function insertFirstKey(ctx: Ctx, keyId: string, publicKey: string): Promise<void> {
  await sql`insert into licence_key (id, public_key) select ${keyId}, ${publicKey} where not exists (select 1 from licence_key)`.execute(
    ctx.db,
  );
}

export async function insertKey(
  ctx: Ctx,
  keyId: string,
  publicKey: string,
  sealed: Buffer,
  madeBy: string,
): Promise<void> {
  await sql`insert into licence_key (id, public_key, sealed, made_at, made_by) values (${keyId}, ${publicKey}, ${sealed}, ${ctx.now}, ${madeBy})`.execute(
    ctx.db,
  );
}

/** Retires a key and deletes its private part. */
export async function retireKey(ctx: Ctx, keyId: string): Promise<void> {
  await sql`update licence_key set retired_at = ${ctx.now}, sealed = null where id = ${keyId}`.execute(
    ctx.db,
  );
}
