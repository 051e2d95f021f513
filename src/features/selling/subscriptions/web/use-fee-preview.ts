// The preview of the base fees on the next two bills, for the dialogs of actions that change them.
import { type UseQueryResult } from '@tanstack/react-query';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { FeePreview } from '../contract.ts';
import type { subscriptionsQueries } from './api.ts';

/**
 * Queries the preview of an action. A dialog is not confirmed while `isLoading`, before the first preview: its
 * buttons move when the amounts appear, and nobody should agree to what they have not seen.
 */
export const useFeePreview = (
  query: ReturnType<typeof subscriptionsQueries.previewStop>,
  { enabled = true } = {},
): UseQueryResult<FeePreview> => usePagedQuery({ ...query, enabled, retry: false });
