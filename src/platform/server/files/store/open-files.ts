// Opens the store of files at a place, whichever kind it is.
import type { FileStore } from './file-store.ts';
import type { FilesPlace } from './files-place.ts';
import { folderStore } from './folder-store.ts';

/** Opens the store at a place. Nothing is read or written yet. The client of buckets is loaded only by who has one. */
export async function openFiles(place: FilesPlace): Promise<FileStore> {
  return place.kind === 'folder' ? folderStore(place.path) : (await import('./s3-store.ts')).s3Store(place);
}
