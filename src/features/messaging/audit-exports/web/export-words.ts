// A destination's state, location and failures as texts.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import type { AuditExport, Failure, Target } from '../contract.ts';

export type ShownState = 'sending' | 'failing' | 'paused';
export const stateTones: Readonly<Record<ShownState, BadgeTone>> = {
  sending: 'success',
  failing: 'error',
  paused: 'neutral',
};

/** The most important state for an Admin. */
export function shownState({ isPaused, failure }: AuditExport): ShownState {
  if (isPaused) return 'paused';
  return failure ? 'failing' : 'sending';
}

/** A destination's location, as one text. */
export function placeOf(target: Target): string {
  if (target.kind === 'webhook') return target.url;
  if (target.kind === 'bucket') return `s3://${target.bucket}/${target.prefix}`;
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  return `${target.isTls ? 'syslog+tls' : 'syslog'}://${host}:${target.port}`;
}

/** The message of a failure. */
export function useFailureText(): (failure: Failure) => string {
  const { t } = useTranslation('auditexports');
  // used as: 'auditexports.failure_*'
  return ({ code, detail }) => t(`auditexports.failure_${code}`, { detail });
}
