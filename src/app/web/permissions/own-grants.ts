// Whether something that can be taken from a role was taken from one's own: what cannot be used is not offered.
import { useQuery } from '@tanstack/react-query';
import type { GrantName } from '../../grants/contract.ts';
import { grantsQueries } from './grants-api.ts';

/** While nothing is known yet everything is offered: the server decides in any case. */
export function useMay(): (grant: GrantName) => boolean {
  const { data } = useQuery(grantsQueries.ownGrants());
  return (grant) => !data?.withdrawn.includes(grant);
}
