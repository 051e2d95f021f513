// How long a new password has to be, as the server says it.
import { leastPasswordLength, minimumPasswordLength } from '#features/access/identity/rules.ts';
import { askedOnce } from '#platform/web/asked.ts';
import { askPasswordRules } from './open-calls.ts';

const rules = askedOnce(askPasswordRules);

/** The shortest new password; the usual one until the server has answered. */
export function useShortestPassword(hasTwoFactor = false): number {
  const { minimum, minimumWithTwoFactor } = rules.use().data ?? {
    minimum: minimumPasswordLength,
    minimumWithTwoFactor: leastPasswordLength,
  };
  return hasTwoFactor ? minimumWithTwoFactor : minimum;
}
