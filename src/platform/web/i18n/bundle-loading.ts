// How text bundles are loaded and kept (R-I18N-04).
import type { ChainedBackendOptions } from 'i18next-chained-backend';
import HttpBackend from 'i18next-http-backend';
import LocalStorageBackend from 'i18next-localstorage-backend';
import type { InitOptions } from 'i18next';

/** i18next's options for a build: from local storage for seven days, else from the server, tried again five times from 350 ms, ten at a time. */
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
