import { useQuery } from '@tanstack/react-query';
import { resellersQueries } from './api.ts';

/**
 * The name of the reseller that bills the organization; null if the operator does; undefined while unknown.
 */
export type Seller = string | null | undefined;

/** Who bills the own organization. */
export function useSeller(): Seller {
  const { data } = useQuery(resellersQueries.ownResale());
  return data && (data.soldBy?.name ?? null);
}
