// The states of discounts, and of organizations' redemptions, as badges.
import type { DiscountState, RedemptionState } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';

const discountTones: Record<DiscountState, BadgeTone> = {
  active: 'success',
  used_up: 'info',
  expired: 'neutral',
  archived: 'neutral',
};
const redemptionTones: Record<RedemptionState, BadgeTone> = {
  active: 'success',
  used: 'info',
  over: 'neutral',
  ended: 'neutral',
};

export function DiscountBadge({ state }: { state: DiscountState }) {
  const { t } = useTranslation('discounts');
  // used as: 'discounts.state_*'
  return <StatusBadge tone={discountTones[state]} label={t(`discounts.state_${state}`)} />;
}

export function RedemptionBadge({ state }: { state: RedemptionState }) {
  const { t } = useTranslation('discounts');
  // used as: 'discounts.redemption_*'
  return <StatusBadge tone={redemptionTones[state]} label={t(`discounts.redemption_${state}`)} />;
}
