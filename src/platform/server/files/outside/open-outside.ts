// Opens an external folder or bucket.
import { outsideBucket } from './outside-bucket.ts';
import type { OutsideAccess, OutsideFiles, OutsidePlace } from './outside-files.ts';
import { outsideFolder } from './outside-folder.ts';

/**
 * Opens a place for reading. Never call its functions inside a unit of work. @throws OutsideUnavailable
 * `address` when a bucket's address is invalid
 */
export const openOutside = (place: OutsidePlace, access: OutsideAccess): OutsideFiles =>
  place.kind === 'folder' ? outsideFolder(place, access) : outsideBucket(place, access);
