// Rules of identity: passwords, accounts, tax ids. No clock, no database.

/**
 * The default minimum length of passwords: NIST 800-63B asks for 8; without a second factor we ask for more.
 */
export const minimumPasswordLength = 12;
/** The lower limit of the setting; also the minimum for a user with a second factor. */
export const minPasswordLength = 8;
/** The longest lifetime of a session, in days (R-AUTH-10). */
export const sessionDays = 3;
/** An organization's, or for its Admins the platform's, policy for sessions. */
export type SessionPolicy = {
  /** Minutes without use after which a session ends; null: it does not end by inactivity. */
  readonly idleMinutes: number | null;
  /** The longest lifetime of a session, in hours; null: {@link sessionDays}. */
  readonly sessionHours: number | null;
  /** Networks from which people can sign in; empty: any. */
  readonly networks: readonly string[];
};
/**
 * When a session ends under a policy if it is used now and never again. The SQL of a renewal must match
 * (store-sessions.ts).
 */
export function sessionEndOf(beganAt: Date, usedAt: Date, policy: SessionPolicy | undefined): Date {
  const hours = Math.min(policy?.sessionHours ?? sessionDays * 24, sessionDays * 24);
  const last = beganAt.getTime() + hours * hourMs;
  const idle = policy?.idleMinutes ?? null;
  return new Date(idle === null ? last : Math.min(last, usedAt.getTime() + idle * 60_000));
}
/**
 * A rotated session cookie stays valid for this many seconds, for tabs that renew at the same moment
 * (reliability.md, rule 10).
 */
export const rotationGraceSeconds = 10;
/** Lifetime of an access token (reliability.md, rule 10). */
export const accessTokenMinutes = 15;
/** Lifetime of a live ticket, which can be used once (api.md, "live"). */
export const liveTicketSeconds = 60;
/** Lifetime of an invitation's link. */
export const invitationDays = 7;
/**
 * The largest number of open invitations per organization, so that the console cannot be used to mail
 * strangers in bulk.
 */
export const maxInvitations = 50;
/** For this many days a deleted user can be restored; then all their data except the name is erased. */
export const restoreDays = 30;
/** When the data of a user who was deleted at this time is erased. */
export const erasedAfter = (deletedAt: Date): Date => new Date(deletedAt.getTime() + restoreDays * dayMs);
/** The largest number of active keys per organization. */
export const maxOrganizationKeys = 50;
/** The default overlap of a replaced secret: enough to change it everywhere within a working day. */
export const usualOverlapHours = 24;

/** Normalizes a password before hashing, so that composed and decomposed spellings are the same password. */
export function normalPassword(password: string): string {
  return password.normalize('NFKC');
}

/** Whether a password is long enough. Length is counted in characters, not in bytes. */
export function isPasswordLongEnough(password: string, minimum = minimumPasswordLength): boolean {
  return [...normalPassword(password)].length >= minimum;
}

/** The minimum password length for a user: shorter with a second factor. */
export function shortestPassword(setting: number, hasTwoFactor: boolean): number {
  return hasTwoFactor ? Math.min(minPasswordLength, setting) : setting;
}

const lettersOnly = (text: string): string => text.replace(/[^\p{L}\p{M}]/gu, '');
const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{M}\p{N}]+/u);
const shortestWord = (word: string): number =>
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]+$/u.test(word) ? 2 : 4;
const minOwnLetters = 8;

/**
 * Whether a password consists of little more than words that are easy to guess for its owner: product,
 * organization, name, account.
 */
export function isMadeOfKnownWords(password: string, known: readonly string[]): boolean {
  const whole = normalPassword(password).toLowerCase();
  const words = known
    .flatMap((text) => {
      const small = text.normalize('NFKC').toLowerCase();
      return [...wordsOf(small), lettersOnly(small)];
    })
    .filter((word) => [...word].length >= shortestWord(word));
  const found = [...new Set(words)]
    .toSorted((a, b) => b.length - a.length)
    .filter((word) => whole.includes(word) || lettersOnly(whole).includes(word));
  if (found.length === 0) return false;
  const rest = found.reduce((left, word) => left.replaceAll(word, ''), lettersOnly(whole));
  return [...rest].length < minOwnLetters;
}

/**
 * Whether a text is one piece repeated (`abcabcabcabc`), or a run of letters or digits (`abcdefgh`,
 * `87654321`).
 */
function isSimple(text: string): boolean {
  const letters = [...text];
  const isRun = (step: number): boolean =>
    letters.every(
      (letter, index) =>
        index === 0 || (letter.codePointAt(0) ?? 0) - (letters[index - 1]?.codePointAt(0) ?? 0) === step,
    );
  if (isRun(1) || isRun(-1)) return true;
  return [1, 2, 3, 4].some(
    (size) =>
      letters.length >= 2 * size && letters.every((letter, index) => letter === letters[index % size]),
  );
}

const longestTail = 6;

/**
 * Whether a password is one of those that attackers try first; `isCommon` looks it up in lower case. Adding
 * digits or signs before or after a listed password does not help, nor does repeating it.
 */
export function isPasswordCommon(password: string, isCommon: (text: string) => boolean): boolean {
  const whole = normalPassword(password).toLowerCase();
  if (isCommon(whole) || isSimple(whole)) return true;
  const half = whole.slice(0, whole.length / 2);
  if (whole === half + half && isCommon(half)) return true;
  const isPlain = (signs: string): boolean =>
    [...signs].length <= longestTail || isSimple(signs) || isCommon(signs);
  const front = /^[^\p{L}\p{M}]*/u.exec(whole)?.[0] ?? '';
  // Matches only from the start of each run; matching from every position would take quadratic time.
  const tail = /(?<![^\p{L}\p{M}])[^\p{L}\p{M}]*$/u.exec(whole)?.[0] ?? '';
  // A listed password may itself begin or end with digits, so every cut is tried.
  return cutsOf(front).some((before) =>
    cutsOf(tail).some((after) => {
      const base = whole.slice(before, whole.length - after);
      return (
        before + after > 0 &&
        base.length >= 3 &&
        isCommon(base) &&
        isPlain(whole.slice(0, before)) &&
        isPlain(whole.slice(whole.length - after))
      );
    }),
  );
}

const cutsOf = (signs: string): number[] => [
  ...new Set([
    ...Array.from({ length: Math.min(signs.length, longestTail) + 1 }, (_, length) => length),
    signs.length,
  ]),
];

/**
 * Normalizes an account: trimmed, lower case, compatible characters unified, without the trailing dot of a
 * domain.
 */
export function normalAccount(account: string): string {
  return account
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/(?<![\s.])[\s.]+$/, '');
}

export { deviceName } from './rules-device.ts';
export { isTaxId } from '#kernel/tax-ids.ts';
import { dayMs, hourMs } from '#kernel/durations.ts';
