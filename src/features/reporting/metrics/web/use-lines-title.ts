// The title of a panel with a customer's lines: whose, and of when.
import { useQuery } from '@tanstack/react-query';
import type { Id } from '#kernel/ids.ts';
import { identityQueries } from '#features/access/identity/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

/** Only the period while the name is being read, and for those who may not read organizations. */
export function useLinesTitle(organizationId: Id<'org'>, period: string): string {
  const { t } = useTranslation('metrics');
  const { data } = useQuery(identityQueries.adminOrganization({ organizationId }));
  return data ? t('metrics.lines_of', { customer: data.name, period }) : period;
}
