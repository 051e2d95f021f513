import { useQuery } from '@tanstack/react-query';
import { resellersQueries } from './api.ts';

/** The name of the reseller that bills the organization; null: the operator does; undefined: not known yet. */
export type Seller = string | null | undefined;

/** By whom the own organization is billed. */
export function useSeller(): Seller {
  const { data } = useQuery(resellersQueries.ownResale());
  return data && (data.soldBy?.name ?? null);
}
