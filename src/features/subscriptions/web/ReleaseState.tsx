// How far a service is: in use, in test, or not there yet.
import type { releaseStates } from '#features/catalogue/contract.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { useSubscriptionsTexts } from './texts.ts';

type State = (typeof releaseStates)[number];
const looks = { 'Active': ['success', 'active'], 'Beta': ['info', 'beta'], 'Coming Soon': ['primary', 'coming'] } as const satisfies Record<State, readonly [BadgeTone, string]>;

export function ReleaseState({ state }: { state: State }) {
  const t = useSubscriptionsTexts();
  const [tone, word] = looks[state];
  // used as: 'subscriptions.release_*'
  return <StatusBadge tone={tone} label={t(`subscriptions.release_${word}`)} />;
}
