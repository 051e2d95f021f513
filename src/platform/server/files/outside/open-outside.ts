// Opens a folder or bucket that others keep.
import { outsideBucket } from './outside-bucket.ts';
import type { OutsideAccess, OutsideFiles, OutsidePlace } from './outside-files.ts';
import { outsideFolder } from './outside-folder.ts';

/** Reads a place. Never call its functions inside a unit of work. @throws OutsideUnavailable `address` for a bucket that cannot be one */
export const openOutside = (place: OutsidePlace, access: OutsideAccess): OutsideFiles =>
  place.kind === 'folder' ? outsideFolder(place, access) : outsideBucket(place, access);
