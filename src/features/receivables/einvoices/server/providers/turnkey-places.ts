// The locations of Turnkey's files in the console's store. `UpCast` has the same folders as Turnkey, so that
// a tool can copy it unchanged.
import type { FileStore } from '#platform/server/files/store/file-store.ts';
import { readText, writeText } from '#platform/server/files/store/file-store.ts';
import { taipeiMoment } from '../../rules-codes.ts';
import { ProviderUnsure } from '../provider.ts';
import type { MigType } from './mig-schema.ts';

/** The store's folders of one seller; live and test files are never mixed. */
export type TurnkeyPlaces = {
  readonly files: FileStore;
  readonly root: 'turnkey' | 'turnkey-stage';
};

/**
 * The folder from which Turnkey takes messages of a type: UpCast, a kind of transfer, the type, SRC (Turnkey 使用說明書, version 3.9). E0402
 * goes with the messages about number tracks.
 */
export function sourceFolder(root: string, type: MigType): string {
  return `${root}/UpCast/${type === 'E0402' ? 'B2PMESSAGE' : 'B2SSTORAGE'}/${type}/SRC`;
}

/** The file of a message for Turnkey: type, number and time in Taiwan. */
export function sourceName(root: string, type: MigType, key: string, at: Date): string {
  const { year, month, day, time } = taipeiMoment(at);
  return `${sourceFolder(root, type)}/${type}_${key}_${year}${month}${day}T${time.replaceAll(':', '')}.xml`;
}

/** Our own copy of what was handed over; Turnkey moves its file away. */
export const sentName = (root: string, type: MigType, key: string): string =>
  `${root}/sent/${type}/${key}.xml`;
/** The platform's response to a message. */
export const stateName = (root: string, type: MigType, key: string): string =>
  `${root}/states/${type}/${key}.json`;
/** Where an operator or a tool places the files that Turnkey unpacked. */
export const resultsFolder = (root: string): string => `${root}/results`;

/** Runs a file operation; if it fails, the outcome is unknown. */
export async function withFiles<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw new ProviderUnsure(`the files for Turnkey: ${error.message}`, { cause: error });
    throw error;
  }
}

export { readText, writeText };
