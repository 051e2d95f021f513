// Identity providers' public API: their calls, and queries for sign-in.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { providers, providersErrors } from '../contract.ts';
import { addDomain, removeDomain, verifyDomain } from './domains.ts';
import {
  createProvider,
  deleteProvider,
  listProviders,
  makeScimToken,
  removeScimToken,
  updateProvider,
} from './providers.ts';
import { readMetadata } from './read-metadata.ts';

export const providersFeature = feature({
  name: 'providers',
  contract: providers,
  errors: providersErrors,
  verbs: {
    listProviders,
    readMetadata,
    createProvider,
    updateProvider,
    deleteProvider,
    addDomain,
    verifyDomain,
    removeDomain,
    makeScimToken,
    removeScimToken,
  },
  // Queries a DNS server, which takes longer than a transaction may.
  ownUnitOfWork: ['verifyDomain'],
});

export { txtRecords } from './dns.ts';
export { providerChanged } from './provider-changed.ts';
export { clientSecretOf, consoleAddresses, requireProvider } from './providers.ts';
export {
  hasCompanySignIn,
  hasVerified,
  isProviderRequired,
  isScimToken,
  markScimUsed,
  providerById,
  providerOfDomain,
  storeResult,
  type Provider,
} from './store.ts';
