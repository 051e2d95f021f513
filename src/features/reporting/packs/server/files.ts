// The files of month packs, with random names that cannot be guessed.
import { randomBytes } from 'node:crypto';
import { filesIn } from '#platform/server/files/store/folder-files.ts';

export const packStore = filesIn('packs');

/** A random file name, so that it cannot be guessed. */
export const newFileName = (): string => `${randomBytes(20).toString('hex')}.zip`;
