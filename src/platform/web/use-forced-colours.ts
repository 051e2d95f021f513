// Whether the system draws pages in colours of its own; it can change at any time.
import { useSyncExternalStore } from 'react';

const asked = '(forced-colors: active)';

function subscribe(changed: () => void): () => void {
  const media = matchMedia(asked);
  media.addEventListener('change', changed);
  return () => media.removeEventListener('change', changed);
}

export const useForcedColours = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(asked).matches);
