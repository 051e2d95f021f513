// The list of erasures in the file store, and so outside the database and its backups: a database restored
// from an older backup does not contain later erasures and must repeat them. It contains ids, never names.
import * as z from 'zod/mini';
import { instant } from '#kernel/shape.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { readText, writeText } from '#platform/server/files/store/file-store.ts';

const folder = 'erasures';
const Listed = z.strictObject({ id: z.string(), subjectId: z.string(), askedAt: instant });
export type Listed = z.output<typeof Listed>;

/** Records an erasure where a restore does not reach it. */
export async function rememberErasure({ files }: App, erasure: Listed): Promise<void> {
  await writeText(files, `${folder}/${erasure.id}.json`, `${JSON.stringify(z.encode(Listed, erasure))}\n`);
}

/** Returns the ids of all recorded erasures. */
export async function listedIds({ files }: App): Promise<string[]> {
  return (await files.list(folder)).map(({ name }) => name.slice(folder.length + 1, -'.json'.length));
}

/** Returns a recorded erasure; undefined when there is none. */
export async function listedErasure({ files }: App, id: string): Promise<Listed | undefined> {
  const text = await readText(files, `${folder}/${id}.json`);
  return text === undefined ? undefined : z.decode(Listed, JSON.parse(text) as z.input<typeof Listed>);
}
