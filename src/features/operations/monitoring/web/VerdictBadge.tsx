// A verdict as a badge.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import type { Verdict } from '../contract.ts';

const tones: Record<Verdict, BadgeTone> = {
  good: 'success',
  warning: 'warning',
  bad: 'error',
  off: 'neutral',
};

// used as: 'monitoring.verdict_*'
export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const { t } = useTranslation('monitoring');
  return <StatusBadge tone={tones[verdict]} label={t(`monitoring.verdict_${verdict}`)} />;
}
