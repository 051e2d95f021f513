// How text bundles are loaded and cached (R-I18N-04).
import type { ChainedBackendOptions } from 'i18next-chained-backend';
import HttpBackend from 'i18next-http-backend';
import LocalStorageBackend from 'i18next-localstorage-backend';
import type { InitOptions } from 'i18next';

/**
 * i18next's options for a build: bundles come from local storage for seven days, otherwise from the server,
 * with five retries that start at 350 ms, at most ten requests at a time.
 */
export const bundleLoading = (build: string): InitOptions<ChainedBackendOptions> => ({
  maxRetries: 5,
  retryTimeout: 350,
  maxParallelReads: 10,
  backend: {
    backends: [LocalStorageBackend, HttpBackend],
    backendOptions: [
      { expirationTime: 7 * 24 * 60 * 60 * 1000, defaultVersion: build },
      { loadPath: '/locales/{{lng}}/{{ns}}.json', queryStringParams: { v: build } },
    ],
    retryOnFailure: true,
  },
});
