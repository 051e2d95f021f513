// Parts of federation for other screens.
export { endProviderSession, goToProvider } from './provider-session.ts';
export { loadExternalIdentities, loadTestProvider } from './inside.ts';
