// The release state of a service: in use, in beta, or upcoming.
import HelpOutlineOutlined from '~icons/ic/outline-help-outline';
import ScienceOutlined from '~icons/ic/outline-science';
import type { releaseStates } from '#features/selling/catalogue/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';

type State = (typeof releaseStates)[number];
type BadgeLook = { readonly tone: BadgeTone; readonly word: string; readonly icon?: React.ReactNode };
const looks: Readonly<Record<State, BadgeLook>> = {
  Active: { tone: 'success', word: 'active' },
  Beta: { tone: 'info', word: 'beta', icon: <ScienceOutlined aria-hidden /> },
  'Coming Soon': { tone: 'primary', word: 'coming' },
};
/** R-CAT-01: for any other state that a service may have. */
const unknown: BadgeLook = { tone: 'neutral', word: 'unknown', icon: <HelpOutlineOutlined aria-hidden /> };

export function ReleaseState({ state }: { state: string }) {
  const { t } = useTranslation('subscriptions');
  const { tone, word, icon } = Object.hasOwn(looks, state) ? looks[state as State] : unknown;
  // used as: 'subscriptions.release_*'
  return (
    <StatusBadge
      tone={tone}
      label={t(`subscriptions.release_${word}` as 'subscriptions.release_unknown')}
      {...(icon !== undefined && { icon })}
    />
  );
}
