// Groups unassigned cost by account, so that one rule can assign all of it to the account's payer.
import { absolute } from '#kernel/money.ts';
import type { AssignRule } from './contract.ts';
import type { Scope } from './rules-line.ts';

export type OpenCost = { readonly scope: Scope; readonly currency: string; readonly cost: bigint };
type Owner = Pick<Scope, 'provider' | 'account' | 'subAccount' | 'subAccountName'>;
export type OpenAccount = Owner & {
  /** The rule's condition that matches the whole account; null if the file does not name one. */
  readonly by: Pick<AssignRule, 'field' | 'tag' | 'value'> | null;
  readonly sums: ReadonlyMap<string, bigint>;
  /** Largest first. */
  readonly parts: readonly OpenCost[];
};

/**
 * Returns the accounts of unassigned cost: sub-accounts (a member account, a subscription, a project),
 * billing accounts for cost without one, and vendors for cost with neither. Largest first, whatever the
 * currency; refunds are ranked by absolute value.
 */
export function openAccounts(parts: readonly OpenCost[]): OpenAccount[] {
  const accounts = Map.groupBy(parts, ({ scope: { provider, account, subAccount } }) =>
    JSON.stringify([provider, account, subAccount]),
  );
  return [...accounts.values()]
    .flatMap((own) => {
      const [first] = own;
      if (!first) return [];
      const { provider, account, subAccount } = first.scope;
      // An account may have been renamed within the month.
      const subAccountName = own.find(({ scope }) => scope.subAccountName !== '')?.scope.subAccountName ?? '';
      const by = (['subAccount', 'account', 'provider'] as const).find((field) => first.scope[field] !== '');
      const sums = new Map<string, bigint>();
      for (const { currency, cost } of own) sums.set(currency, (sums.get(currency) ?? 0n) + cost);
      return [
        {
          provider,
          account,
          subAccount,
          subAccountName,
          by: by === undefined ? null : { field: by, tag: '', value: first.scope[by] },
          sums,
          parts: own.toSorted((one, other) => compare(absolute(other.cost), absolute(one.cost))),
        },
      ];
    })
    .toSorted((one, other) => compare(largest(other), largest(one)));
}

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : Number(one > other));
const largest = ({ sums }: Pick<OpenAccount, 'sums'>): bigint =>
  [...sums.values()].map(absolute).toSorted(compare).at(-1) ?? 0n;
