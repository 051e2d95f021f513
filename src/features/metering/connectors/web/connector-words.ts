// A connector's state and failures as text.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import type { Connector } from '../contract.ts';

export type ShownState = 'active' | 'behind' | 'failing' | 'paused';
export const stateTones: Readonly<Record<ShownState, BadgeTone>> = {
  active: 'success',
  behind: 'warning',
  failing: 'error',
  paused: 'neutral',
};

/** The state that an Admin should see; behind: by two windows or more. */
export function shownState({ state, failure, lagSeconds, windowSeconds }: Connector): ShownState {
  if (state === 'paused') return 'paused';
  if (failure) return 'failing';
  return lagSeconds >= 2 * windowSeconds ? 'behind' : 'active';
}

/** Describes a failure in a sentence. */
export function useFailureText(): (failure: NonNullable<Connector['failure']>) => string {
  const { t } = useTranslation('connectors');
  // used as: 'connectors.failure_*'
  return ({ code, detail }) => t(`connectors.failure_${code}`, { detail });
}

/** How far a connector is behind, in minutes or hours. */
export function useLagText(): (lagSeconds: number) => string {
  const { t } = useTranslation('connectors');
  return (lagSeconds) => {
    const minutes = Math.floor(lagSeconds / 60);
    if (minutes === 0) return t('connectors.no_lag');
    return minutes < 120
      ? t('connectors.lag_minutes', { count: minutes })
      : t('connectors.lag_hours', { count: Math.floor(minutes / 60) });
  };
}
