// Where Turnkey's files are in the console's store. `UpCast` has the folders of Turnkey itself, so that a tool can copy it as it is.
import type { FileStore } from '#platform/server/files/store/file-store.ts';
import { readText, writeText } from '#platform/server/files/store/file-store.ts';
import { taipeiMoment } from '../../rules-codes.ts';
import { ProviderUnsure } from '../provider.ts';
import type { MigType } from './mig-schema.ts';

/** The store's folders of one seller: the live ones and those for trying never mix. */
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

/** Our own copy of what was handed over: Turnkey moves its file away. */
export const sentName = (root: string, type: MigType, key: string): string =>
  `${root}/sent/${type}/${key}.xml`;
/** What the platform said of a message. */
export const stateName = (root: string, type: MigType, key: string): string =>
  `${root}/states/${type}/${key}.json`;
/** Where an operator or a tool drops what Turnkey unpacked. */
export const resultsFolder = (root: string): string => `${root}/results`;

/** Runs something with files; when they fail it is not known how far it came. */
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
