// `npm run cli -- files copy`: copies the files of a data directory to the bucket of FILES_URL, when moving
// from one console to several.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { folderStore } from '#platform/server/files/store/folder-store.ts';
import { openFiles } from '#platform/server/files/store/open-files.ts';
import { CommandRefused } from './command-refused.ts';
import type { Terminal } from './terminal.ts';

/** The folders of a data directory, besides the database and its secrets. */
const folders = [
  'backups',
  'locales',
  'packs',
  'usage-archive',
  'einvoices',
  'personal-data',
  'data-exports',
] as const;

/**
 * Copies every file that the bucket does not have yet; existing ones are left unchanged, so it is safe to
 * repeat while consoles use the bucket. Returns the exit status: 1 when a file in the bucket differs in size
 * from the local one.
 */
export async function copyFiles(terminal: Terminal): Promise<number> {
  const config = terminal.config();
  if (config.files.kind !== 's3')
    throw new CommandRefused('Set FILES_URL to the bucket (s3://bucket/prefix) that the files go to.');
  if (!existsSync(config.dataDir)) throw new CommandRefused(`There is no data directory ${config.dataDir}.`);
  const [from, to] = [folderStore(config.dataDir), await openFiles(config.files)];
  await to.check();
  const counts = { copied: 0, bytes: 0, existing: 0 };
  const others: string[] = [];
  for (const folder of folders) {
    const existing = new Map((await to.list(folder)).map(({ name, bytes }) => [name, bytes]));
    for (const { name, bytes } of await from.list(folder)) {
      const known = existing.get(name);
      if (known === undefined) {
        const content = await from.read(name);
        if (content === undefined) continue;
        counts.bytes += await to.write(name, content);
        counts.copied += 1;
      } else if (known === bytes) counts.existing += 1;
      else others.push(name);
    }
  }
  terminal.out(
    `Copied ${counts.copied} files, ${counts.bytes} bytes, to ${to.place}; ${counts.existing} were there already.\n`,
  );
  for (const name of others)
    terminal.out(
      `${name} is there with another length, and stays as it is. Here: ${join(config.dataDir, name)}\n`,
    );
  return others.length === 0 ? 0 : 1;
}
