// The one limiter of everything that lets people in: attempts are counted before they are tried.
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
  /** Where it comes from; left out for a second step whose first was counted. */
  readonly address?: string;
  /** The account it is about, in its normal form: failures of it are counted afterwards, with {@link Attempt.failed}. */
  readonly account?: string;
  /** Whose guesses are counted apart from the account's: `otp:usr_…`. */
  readonly subject?: string;
  /** Costs something even when it is good (a registration, a mail): never given back, and counted apart from failures. */
  readonly isCharged?: boolean;
  /** The browser's `device` cookie. */
  readonly device?: string | undefined;
};

/** An attempt that may be made now. Exactly one of its ends is called; without one it counts as a failure. */
export type Attempt = {
  /** Whether it comes from a browser in which the account's owner has signed in lately. */
  readonly isKnown: boolean;
  /** It was good: nothing is held against the person any more, and the address gets this one back. */
  readonly good: () => Promise<void>;
  /** The same, with what a unit of work writes. */
  readonly goodWith: (own: Ctx) => void;
  /** It was not tried after all, or not to its end. */
  readonly undone: () => Promise<void>;
  /** It failed: counts it for the account, too. Answers until when the next one has to wait because of it. */
  readonly failed: () => Promise<Date | undefined>;
};

const digestOf = (text: string): string => sha256(text).toString('base64url');
const keyOfAccount = (account: string): CountedKey => ({
  key: `account:${digestOf(account)}`,
  schedule: 'person',
});

/**
 * Takes a turn, or refuses with 429 and the seconds to wait. A browser in which the account's owner has signed in
 * lately has a counter of its own: neither an attack on the account nor one from its address keeps it out.
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
      // Blocked meanwhile by others: then there is nothing left to add.
      const more = await countUnlessBlocked(
        db,
        { whenKnown: [], otherwise: [account], blockingKeys: [] },
        now,
      );
      return more.isRefused ? more.until : (more.next ?? count.next);
    },
  };
}

/** Forgets an account's failures: its person has proved who they are in another way. */
export async function forgetFailures(app: App, account: string): Promise<void> {
  await takeBack(app.database.kysely, [], [keyOfAccount(account).key]);
}

/** What stands for an account in the audit log when there is nobody it belongs to: people type passwords there. */
export function accountDigest(account: string): string {
  return digestOf(account);
}

/** Knows the browser of a good sign-in from now on. */
export async function rememberBrowser(ctx: Ctx, userId: string, reply: Reply): Promise<void> {
  const brought = reply.cookie('device');
  // Only a secret that was made here is kept: one that somebody planted is replaced.
  const secret = brought !== undefined && (await isDevice(ctx, sha256(brought))) ? brought : randomSecret();
  rememberDevice(ctx, sha256(secret), userId);
  reply.setCookie('device', secret, knownDeviceDays * 86_400);
}
