// Whether a permission has been withdrawn from the user's role, so that the screen hides what cannot be used.
import { useQuery } from '@tanstack/react-query';
import type { GrantName } from '../../grants/contract.ts';
import { grantsQueries } from './grants-api.ts';

/** Until this is loaded, everything is offered, because the server decides in any case. */
export function useMay(): (grant: GrantName) => boolean {
  const { data } = useQuery(grantsQueries.ownGrants());
  return (grant) => !data?.withdrawn.includes(grant);
}
