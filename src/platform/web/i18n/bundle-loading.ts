// How text bundles are loaded and cached (R-I18N-04).
import type { ChainedBackendOptions } from 'i18next-chained-backend';
import HttpBackend, { type HttpBackendOptions } from 'i18next-http-backend';
import LocalStorageBackend from 'i18next-localstorage-backend';
import JoinedReads, { type MultiloadBackendOptions } from 'i18next-multiload-backend-adapter';
import type { InitOptions } from 'i18next';
import { dayMs } from '#kernel/durations.ts';

/** Bundles requested within this many milliseconds share one request. */
export const joiningMs = 1;

/**
 * i18next's options for a build: bundles come from local storage for seven days, otherwise from the server,
 * several per request; with five retries starting at 350 ms, at most ten bundles at a time.
 */
export const bundleLoading = (build: string): InitOptions<ChainedBackendOptions> => ({
  maxRetries: 5,
  retryTimeout: 350,
  maxParallelReads: 10,
  backend: {
    backends: [LocalStorageBackend, JoinedReads],
    backendOptions: [
      { expirationTime: 7 * dayMs, defaultVersion: build },
      {
        backend: HttpBackend,
        backendOption: fromServer(build),
        debounceInterval: joiningMs,
      } satisfies MultiloadBackendOptions,
    ],
    retryOnFailure: true,
  },
});

const fromServer = (build: string): HttpBackendOptions => ({
  loadPath: '/locales/{{lng}}/{{ns}}.json',
  queryStringParams: { v: build },
  parse: (data, languages = [], namespaces = []) => {
    const texts: object = JSON.parse(data);
    const [[lng = '', ...lngs], [ns = '', ...nss]] = [[languages].flat(), [namespaces].flat()];
    // The file of a single bundle contains only its texts.
    return lngs.length === 0 && nss.length === 0 ? { [lng]: { [ns]: texts } } : texts;
  },
});
