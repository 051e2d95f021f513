// Identity's decisions: passwords, accounts, tax ids. No clock, no database.

/** Shortest password, in characters (NIST 800-63B asks for 8; without a second factor we ask for more). */
export const minimumPasswordLength = 12;
/** A sign-in lasts three days at most (R-AUTH-10). */
export const sessionDays = 3;
/** A session's cookie that was changed is answered this much longer, for tabs that asked at the same moment (reliability.md, rule 10). */
export const rotationGraceSeconds = 10;
/** An access token lasts 15 minutes (reliability.md, rule 10). */
export const accessTokenMinutes = 15;
/** A live ticket is good for 60 seconds, once (api.md, "live"). */
export const liveTicketSeconds = 60;

/** The form in which a password is hashed: composed and decomposed spellings are the same password. */
export function normalPassword(password: string): string {
  return password.normalize('NFKC');
}

/** Whether a password may be chosen. Length is counted in characters, not in bytes. */
export function isPasswordLongEnough(password: string): boolean {
  return [...normalPassword(password)].length >= minimumPasswordLength;
}

/** How an account is written: trimmed, lower case, compatible characters unified. */
export function normalAccount(account: string): string {
  return account.normalize('NFKC').trim().toLowerCase();
}

/**
 * Whether a text is a Taiwanese 統一編號: 8 digits, weights 1 2 1 2 1 2 4 1, the digits of the products summed;
 * divisible by 5, or, when the seventh digit is 7, that sum or one more (the rule of 2023; domain.md, "Taiwan").
 */
export function isTaxId(text: string): boolean {
  if (!/^\d{8}$/.test(text) || text === '00000000') return false;
  const weights = [1, 2, 1, 2, 1, 2, 4, 1];
  let sum = 0;
  for (const [index, weight] of weights.entries()) {
    const product = Number.parseInt(text[index] ?? '0', 10) * weight;
    sum += Math.floor(product / 10) + (product % 10);
  }
  return sum % 5 === 0 || (text[6] === '7' && (sum + 1) % 5 === 0);
}
