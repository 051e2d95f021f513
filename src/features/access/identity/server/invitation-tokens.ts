// An invitation has two tokens. Whoever uses the one from the mail has its mailbox; the other one is shown to the
// inviter, who could otherwise join with somebody else's address and have it count as confirmed.
import { sha256 } from '#platform/server/security/digest.ts';
import { randomSecret } from './tokens.ts';

/** `hash` is stored. The shown token follows from the mailed one, but not the other way round. */
export type InvitationTokens = { readonly mailed: string; readonly shown: string; readonly hash: Buffer };

/** Creates the tokens of an invitation. */
export function newInvitationTokens(): InvitationTokens {
  const mailed = randomSecret();
  const shown = shownOf(mailed);
  return { mailed, shown, hash: sha256(shown) };
}

const shownOf = (mailed: string): string => sha256(mailed).toString('base64url');

/** The stored hashes that a token may belong to: as the mailed one, and as the shown one. */
export const hashesOf = (token: string): { readonly asMailed: Buffer; readonly asShown: Buffer } => ({
  asMailed: sha256(shownOf(token)),
  asShown: sha256(token),
});
