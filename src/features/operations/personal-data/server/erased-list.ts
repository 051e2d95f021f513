// The list of what was erased, in the store of files and so outside of the database and its backups: a database that was restored from an
// older backup knows nothing of later erasures, and repeats them. It holds ids, never names.
import * as z from 'zod/mini';
import { instant } from '#kernel/shape.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { readText, writeText } from '#platform/server/files/store/file-store.ts';

const folder = 'erasures';
const Listed = z.strictObject({ id: z.string(), subjectId: z.string(), askedAt: instant });
export type Listed = z.output<typeof Listed>;

/** Writes an erasure down where a restore does not reach. */
export async function rememberErasure({ files }: App, erasure: Listed): Promise<void> {
  await writeText(files, `${folder}/${erasure.id}.json`, `${JSON.stringify(z.encode(Listed, erasure))}\n`);
}

/** The ids of all erasures that were written down. */
export async function listedIds({ files }: App): Promise<string[]> {
  return (await files.list(folder)).map(({ name }) => name.slice(folder.length + 1, -'.json'.length));
}

/** What was written down of an erasure; undefined when nothing was. */
export async function listedErasure({ files }: App, id: string): Promise<Listed | undefined> {
  const text = await readText(files, `${folder}/${id}.json`);
  return text === undefined ? undefined : z.decode(Listed, JSON.parse(text) as z.input<typeof Listed>);
}
