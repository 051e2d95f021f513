// Whether the texts of the frame could not be loaded, even after all retries.
import i18next from 'i18next';
import { useSyncExternalStore } from 'react';

let isMissing = false;

const subscribe = (notify: () => void) => {
  const onFailed = (_language: string, namespace: string) => {
    if (namespace !== 'app' && namespace !== 'platform') return;
    isMissing = true;
    notify();
  };
  i18next.on('failedLoading', onFailed);
  return () => i18next.off('failedLoading', onFailed);
};

/** True when the console has no words to show: then only the sentences that travel with the code can be used. */
export function useTextsMissing(): boolean {
  return useSyncExternalStore(subscribe, () => isMissing);
}
