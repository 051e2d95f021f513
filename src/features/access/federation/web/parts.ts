// What other screens place of federation.
export { endProviderSession, goToProvider } from './provider-session.ts';
export { loadExternalIdentities } from './inside.ts';
