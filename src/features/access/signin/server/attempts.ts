// The one rate limiter for every way to sign in: attempts are counted before they are tried.
import { domainError } from '#kernel/errors.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import { randomSecret } from '#features/access/identity/server/index.ts';
import { signinErrors } from '../contract.ts';
import { knownDeviceDays, networkOf } from '../rules.ts';
import {
  countUnlessBlocked,
  isDevice,
  rememberDevice,
  takeBack,
  takeBackWith,
  type JoinedQuery,
  type CountedKey,
} from './store-attempts.ts';

export type AttemptInput = {
  /** The IP address; omitted for a second step whose first was counted. */
  readonly address?: string;
  /** The normalized account; its failures are counted afterwards, with {@link Attempt.failed}. */
  readonly account?: string;
  /** Counts guesses separately from the account's, under a key such as `otp:usr_…`. */
  readonly subject?: string;
  /**
   * For an attempt that costs something even when it succeeds (a registration, a mail): never refunded, and
   * counted separately from failures.
   */
  readonly isCharged?: boolean;
  /** The browser's `device` cookie. */
  readonly device?: string | undefined;
};

/**
 * An attempt that may be made now. Exactly one of its outcomes is called; without one, it counts as a
 * failure.
 */
export type Attempt = {
  /** Whether the account's owner has recently signed in with this browser. */
  readonly isKnown: boolean;
  /** Success: clears the person's failures and refunds this attempt to the address. */
  readonly good: () => Promise<void>;
  /** The same, as part of a transaction. */
  readonly goodWith: (own: Ctx) => void;
  /** The attempt was not made, or not completed. */
  readonly undone: () => Promise<void>;
  /** Failure: also counts for the account. Returns until when the next attempt must wait because of it. */
  readonly failed: () => Promise<Date | undefined>;
};

const digestOf = (text: string): string => sha256(text).toString('base64url');
const keyOfAccount = (account: string): CountedKey => ({
  key: `account:${digestOf(account)}`,
  schedule: 'person',
});

/**
 * Counts an attempt, or throws a 429 with the seconds to wait. A browser with which the account's owner has
 * recently signed in has its own counter, so that neither an attack on the account nor one from its address
 * locks it out.
 */
export async function beginAttempt<Row extends { id: string }>(
  app: App,
  input: AttemptInput,
  joined?: JoinedQuery<Row>,
): Promise<Attempt & { readonly brought: Row | undefined }> {
  const db = app.database.kysely;
  const now = app.clock.now();
  const account = input.account === undefined ? undefined : keyOfAccount(input.account);
  const hash = sha256(input.device ?? '');
  const network = input.address === undefined ? undefined : networkOf(input.address);
  const subject: CountedKey[] =
    input.subject === undefined ? [] : [{ key: `subject:${input.subject}`, schedule: 'person' }];
  const whenKnown: CountedKey[] = [
    { key: `device:${hash.toString('base64url')}`, schedule: 'person' },
    ...subject,
  ];
  const otherwise: CountedKey[] = [
    ...(network === undefined
      ? []
      : [{ key: `${input.isCharged ? 'asks' : 'address'}:${network}`, schedule: 'address' } as const]),
    ...subject,
  ];
  const blockingKeys = [
    ...(input.isCharged ? [`address:${network}`] : []),
    ...(account ? [account.key] : []),
  ];
  // The device is looked up with and without a cookie, so that every attempt takes the same steps.
  const device = input.account === undefined ? undefined : { hash, account: input.account };
  const count = await countUnlessBlocked(db, { device, whenKnown, otherwise, blockingKeys }, now, joined);
  const { isKnown } = count;
  const counted = isKnown ? whenKnown : otherwise;
  if (count.isRefused)
    throw domainError(signinErrors, 'signin.wait', {
      retryAfter: Math.max(1, Math.ceil((count.until.getTime() - now.getTime()) / 1000)),
    });
  const refundable = input.isCharged ? [] : counted;
  return {
    brought: count.brought,
    isKnown,
    goodWith: (own) => takeBackWith(own, refundable, account && !isKnown ? [account.key] : []),
    good: () => takeBack(db, refundable, account && !isKnown ? [account.key] : []),
    undone: () =>
      takeBack(
        db,
        refundable.filter((each) => each.schedule === 'address'),
        [],
      ),
    failed: async () => {
      if (!account || isKnown) return count.next;
      // Others have blocked the account meanwhile: there is nothing left to add.
      const more = await countUnlessBlocked(
        db,
        { whenKnown: [], otherwise: [account], blockingKeys: [] },
        now,
      );
      return more.isRefused ? more.until : (more.next ?? count.next);
    },
  };
}

/** Clears an account's failures, because its owner has proved their identity in another way. */
export async function forgetFailures(app: App, account: string): Promise<void> {
  await takeBack(app.database.kysely, [], [keyOfAccount(account).key]);
}

/**
 * Represents an unknown account in the audit log by its digest, because people type passwords into the field.
 */
export function accountDigest(account: string): string {
  return digestOf(account);
}

/** Marks the browser of a successful sign-in as known. */
export async function rememberBrowser(ctx: Ctx, userId: string, reply: Reply): Promise<void> {
  const deviceCookie = reply.cookie('device');
  // Only a secret that this console issued is kept: a planted one is replaced.
  const secret =
    deviceCookie !== undefined && (await isDevice(ctx, sha256(deviceCookie))) ? deviceCookie : randomSecret();
  rememberDevice(ctx, sha256(secret), userId);
  reply.setCookie('device', secret, knownDeviceDays * 86_400);
}
