// The colors of delivery states.
import type { DeliveryState } from '../contract.ts';
import type { BadgeTone } from '#platform/web/ui/StatusBadge.tsx';

export const stateTones: Record<DeliveryState, BadgeTone> = {
  waiting: 'primary',
  delivered: 'success',
  parked: 'error',
};
