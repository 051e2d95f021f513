// An event stream's state and failures as text.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import type { EventStream, Failure } from '../contract.ts';

export type ShownState = 'reading' | 'waiting' | 'failing' | 'paused';
export const stateTones: Readonly<Record<ShownState, BadgeTone>> = {
  reading: 'success',
  waiting: 'warning',
  failing: 'error',
  paused: 'neutral',
};

/** The state that an Admin should see. */
export function shownState({ state, failure, isConnected }: EventStream): ShownState {
  if (state === 'paused') return 'paused';
  if (failure) return 'failing';
  return isConnected ? 'reading' : 'waiting';
}

/** Describes a failure in a sentence. */
export function useFailureText(): (failure: Failure) => string {
  const { t } = useTranslation('eventstreams');
  // used as: 'eventstreams.failure_*'
  return ({ code, detail }) => t(`eventstreams.failure_${code}`, { detail });
}
