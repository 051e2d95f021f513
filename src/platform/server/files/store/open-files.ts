// Opens the file store at a place, of either kind.
import type { FileStore } from './file-store.ts';
import type { FilesPlace } from './files-place.ts';
import { folderStore } from './folder-store.ts';

/** Opens the store at a place. Nothing is read or written yet. The S3 client is loaded only when it is needed. */
export async function openFiles(place: FilesPlace): Promise<FileStore> {
  return place.kind === 'folder' ? folderStore(place.path) : (await import('./s3-store.ts')).s3Store(place);
}
