// Opens the location of a source's files with its decrypted secret key.
import { domainError } from '#kernel/errors.ts';
import { openOutside } from '#platform/server/files/outside/open-outside.ts';
import {
  OutsideUnavailable,
  type OutsideFiles,
  type OutsidePlace,
} from '#platform/server/files/outside/outside-files.ts';
import { seal, unseal } from '#platform/server/security/sealing.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { costImportsErrors, type Place } from '../contract.ts';
import type { SourceRow } from './store.ts';

const purpose = 'skytally cost source key';
const mostFiles = 20_000;

export const sealedKey = (app: App, sourceId: string, secret: string): Buffer =>
  seal(app, purpose, sourceId, secret);

/** Opens a source's folder or bucket. @throws OutsideUnavailable */
export function openPlace(
  app: App,
  { id, place, secret }: Pick<SourceRow, 'id' | 'place' | 'secret'>,
): OutsideFiles {
  const { importDir, privateHosts } = app.config;
  return openOutside(outsidePlaceOf(place, secret === null ? null : unseal(app, purpose, id, secret)), {
    importDir,
    privateHosts,
    mostFiles,
  });
}

function outsidePlaceOf(place: Place, secret: string | null): OutsidePlace {
  if (place.kind === 'folder') return place;
  if (place.kind === 'upload') throw new OutsideUnavailable('path', '');
  const { accessKeyId, ...bucket } = place;
  return {
    ...bucket,
    kind: 's3',
    keys: accessKeyId === null || secret === null ? null : { accessKeyId, secretAccessKey: secret },
  };
}

/** Throws, naming the field, for a location that can never be read. */
export function assertPlace(ctx: Ctx, place: Place): void {
  if (place.kind === 'upload') return;
  const { importDir, privateHosts } = ctx.app.config;
  if (place.kind === 'folder' && importDir === undefined)
    throw domainError(costImportsErrors, 'costs.folders_closed', {}, ['place.path']);
  if (place.kind === 'folder' && /(^|\/)\.{1,2}(\/|$)|^\//.test(place.path))
    throw domainError(costImportsErrors, 'costs.path', {}, ['place.path']);
  try {
    openOutside(outsidePlaceOf(place, null), { importDir, privateHosts, mostFiles }).close();
  } catch (error) {
    if (!(error instanceof OutsideUnavailable)) throw error;
    throw domainError(costImportsErrors, 'costs.address', {}, ['place.endpoint']);
  }
}
