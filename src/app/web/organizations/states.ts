// The badges of an organization's states.
import type { BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import type { OrganizationAccount } from '../../console/contract.ts';

export const stateTones: Readonly<Record<OrganizationAccount['state'], BadgeTone>> = {
  active: 'success',
  past_due: 'warning',
  suspended: 'error',
  closed: 'neutral',
};
