// Parts of federation for other screens.
export { ExternalIdentities } from './ExternalIdentities.tsx';
export { endProviderSession, goToProvider } from './provider-session.ts';
export { loadTestProvider } from './inside.ts';
