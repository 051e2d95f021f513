// Codes are short enough to be guessed, so an organization that enters wrong ones has to wait.
import { LRUCache } from 'lru-cache';
import { domainError, DomainError } from '#kernel/errors.ts';
import { discountErrors } from '../contract.ts';

const mostGuesses = 10;
const waitMs = 10 * 60_000;
// Counted in memory and outside the transaction, which a wrong code rolls back. Each server process counts
// separately.
const wrongCodes = new LRUCache<string, number>({ max: 10_000, ttl: waitMs, noUpdateTTL: true });

/**
 * Runs a code lookup. Throws (429) without looking it up if the organization entered too many unknown codes
 * in the last minutes.
 */
export async function guarded<T>(organizationId: string, lookUp: () => Promise<T>): Promise<T> {
  const before = wrongCodes.get(organizationId) ?? 0;
  if (before >= mostGuesses)
    throw domainError(discountErrors, 'discounts.too_many_guesses', {
      retryAfter: Math.ceil(wrongCodes.getRemainingTTL(organizationId) / 1000),
    });
  try {
    return await lookUp();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'discounts.code_unknown')
      wrongCodes.set(organizationId, (wrongCodes.get(organizationId) ?? 0) + 1);
    throw error;
  }
}
