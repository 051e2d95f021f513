// How something is doing, as a word.
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import type { Verdict } from '../contract.ts';
import { useMonitoringTexts } from './texts.ts';

const tones: Record<Verdict, BadgeTone> = {
  good: 'success',
  warning: 'warning',
  bad: 'error',
  off: 'neutral',
};

// used as: 'monitoring.verdict_*'
export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const t = useMonitoringTexts();
  return <StatusBadge tone={tones[verdict]} label={t(`monitoring.verdict_${verdict}`)} />;
}
