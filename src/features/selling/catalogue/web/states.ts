// The appearance of release states and statuses of services.
import type { PriceVersionView, Service } from '../contract.ts';
import type { BadgeTone } from '#platform/web/ui/StatusBadge.tsx';

export const releaseKeys = {
  Active: 'catalogue.release_active',
  Beta: 'catalogue.release_beta',
  'Coming Soon': 'catalogue.release_coming',
} as const satisfies Record<Service['releaseState'], string>;
export const releaseTones: Record<Service['releaseState'], BadgeTone> = {
  Active: 'info',
  Beta: 'warning',
  'Coming Soon': 'primary',
};
export const statusTones: Record<Service['status'], BadgeTone> = { active: 'success', inactive: 'neutral' };
export const priceTones: Record<PriceVersionView['state'], BadgeTone> = {
  current: 'success',
  scheduled: 'primary',
  past: 'neutral',
};
