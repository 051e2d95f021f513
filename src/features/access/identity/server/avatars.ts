// The caller's own picture, and pictures of users of the same organization.
import type { FileAnswer, In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { identityErrors, longestPictureSide, type identity, type User } from '../contract.ts';
import { pictureHead, type PictureHead } from '../rules-picture.ts';
import { redraw, type PictureShape } from './redraw-picture.ts';
import { userById } from './store.ts';
import { avatarSeenBy, deleteAvatar, putAvatar } from './store-avatars.ts';

/**
 * Re-encodes an uploaded picture and describes the upload; throws when it is not a picture. Decoding takes
 * longer than a transaction may.
 */
export async function uploadedPicture(
  ctx: Ctx,
  raw: Reply['raw'],
  shape: PictureShape,
): Promise<{ readonly picture: Buffer; readonly sent: PictureHead }> {
  const head = raw && pictureHead(raw.bytes);
  if (!head) throw domainError(identityErrors, 'identity.picture_kind');
  const { width, height, type } = head;
  if (Math.max(width, height) > longestPictureSide)
    throw domainError(identityErrors, 'identity.picture_too_wide', {
      width,
      height,
      most: longestPictureSide,
    });
  const redrawn = await redraw(raw.bytes, shape);
  if ('problem' in redrawn) {
    ctx.app.log.info(
      { requestId: ctx.requestId, err: redrawn.problem, type, width, height },
      'a picture could not be decoded',
    );
    throw domainError(identityErrors, 'identity.picture_broken');
  }
  return { picture: redrawn.picture, sent: head };
}

/** Sets the caller's picture, re-encoded from the upload. */
export async function setAvatar(ctx: Ctx, _input: object, { raw }: Reply): Promise<User> {
  const { userId } = person(ctx);
  const { picture, sent } = await uploadedPicture(ctx, raw, 'square');
  return unitOfWork(
    ctx.app,
    { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId },
    async (own) => {
      await putAvatar(own, userId, picture);
      own.audit('identity.setAvatar', userId, sent);
      return required(await userById(own.db, userId), 'the user who is signed in');
    },
  );
}

/** Removes the caller's picture, if there is one. */
export async function removeAvatar(ctx: Ctx): Promise<User> {
  const { userId } = person(ctx);
  const had = await deleteAvatar(ctx, userId);
  ctx.audit('identity.removeAvatar', userId, { had });
  return required(await userById(ctx.db, userId), 'the user who is signed in');
}

/** Returns a picture if the caller can see it; otherwise it is not found. */
export async function avatar(ctx: Ctx, { avatarId }: In<typeof identity.avatar>): Promise<FileAnswer> {
  const { userId, organizationId, role } = person(ctx);
  const picture = await avatarSeenBy(ctx, avatarId, { userId, organizationId, seesAll: role === 'Admin' });
  if (!picture) throw domainError(identityErrors, 'identity.picture_not_found');
  return { fileName: `${avatarId}.webp`, mediaType: 'image/webp', body: picture };
}
