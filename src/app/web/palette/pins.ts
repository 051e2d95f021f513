// The user's pinned pages, in the order of pinning; stored as saved views under a special screen name.
import { useQuery } from '@tanstack/react-query';
import { maxPinned, pinnedScreen } from '#features/access/identity/contract.ts';
import { identityApi, identityKey } from '#features/access/identity/web/parts.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { linksOf, menuOf, type NavItem } from '../../menu.ts';
import { identityQueries } from './calls.ts';

export type Pins = {
  /** Entries of the user's menu; a page that the role has lost is not shown. */
  readonly pages: readonly NavItem[];
  readonly isPinned: (path: string) => boolean;
  /** Undefined until the pins are loaded. */
  readonly change: ((path: string) => void) | undefined;
};

/** Fetches nothing until `isWanted`. */
export function usePins(isWanted = true): Pins {
  const { t } = useTranslation('palette');
  const { user, isAuthenticated } = useAuthStore();
  const { data } = useQuery({
    ...identityQueries.savedViews({ screen: pinnedScreen }),
    enabled: isAuthenticated && isWanted,
    staleTime: 5 * 60_000,
  });
  const invalidates = [identityKey('savedViews')];
  const onError = toast.failure;
  const pin = useCall(identityApi.saveView, { invalidates, onError });
  const unpin = useCall(identityApi.deleteView, { invalidates, onError });
  const pinned = (data?.items ?? []).toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  const links = linksOf(menuOf(user));
  const change = (path: string) => {
    // One change at a time: a second click would act on outdated pins.
    if (pin.isPending || unpin.isPending) return;
    const view = pinned.find(({ name }) => name === path);
    if (view) unpin.mutate({ viewId: view.id });
    else if (pinned.length >= maxPinned) toast.error(t('palette.pins_full', { most: maxPinned }));
    else pin.mutate({ screen: pinnedScreen, name: path, query: '' });
  };
  return {
    pages: pinned.flatMap(({ name }) => links.find(({ path }) => path === name) ?? []),
    isPinned: (path) => pinned.some(({ name }) => name === path),
    change: data && change,
  };
}
