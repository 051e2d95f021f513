// Federation's public API: its calls. The app passes in how an owner proves that an account is theirs.
import type { Out } from '#kernel/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { feature, type Feature } from '#platform/server/unit-of-work/feature.ts';
import { federation, federationErrors, oidcScope } from '../contract.ts';
import { googleLogin, googleNonce, googleRegister } from './google-sign-in.ts';
import { completeCompanySignInBy, type ProvisionedGroups } from './company-enter.ts';
import { samlMetadata, startCompanySignIn, testProvider } from './company-start.ts';
import { limitAttempts } from './limit-attempts.ts';
import {
  confirmLinkBy,
  externalIdentities,
  linkIdentityBy,
  unlinkIdentity,
  type ProveOwner,
} from './link.ts';
import { oidcCallback } from './oidc-callback.ts';
import { samlAcs } from './saml-acs.ts';
import { sso, ssoByQuery } from './sso.ts';

async function federationOptions(ctx: Ctx): Promise<Out<typeof federation.federationOptions>> {
  const { google, oidc } = ctx.app.config;
  return {
    google: google ? { clientId: google.clientId, scriptUrl: google.scriptUrl } : null,
    oidc: oidc
      ? { issuer: oidc.issuer, clientId: oidc.clientId, scope: oidcScope, hosts: [...oidc.endpointHosts] }
      : null,
  };
}

/** Creates the feature. */
export function federationFeature(options: {
  /** For somebody who is not signed in. */
  readonly proveLogin: ProveOwner;
  readonly proveOwner: ProveOwner;
  readonly provisionedGroups: ProvisionedGroups;
}): Feature {
  return feature({
    name: 'federation',
    contract: federation,
    errors: federationErrors,
    verbs: {
      federationOptions,
      googleNonce,
      googleRegister: limitAttempts(googleRegister),
      googleLogin: limitAttempts(googleLogin),
      sso: limitAttempts(sso),
      ssoByQuery: limitAttempts(ssoByQuery),
      confirmLink: confirmLinkBy(options.proveLogin),
      linkIdentity: linkIdentityBy(options.proveOwner),
      startCompanySignIn,
      completeCompanySignIn: limitAttempts(completeCompanySignInBy(options.provisionedGroups)),
      testProvider,
      samlMetadata,
      samlAcs,
      oidcCallback,
      externalIdentities,
      unlinkIdentity,
    },
    // These call providers or hash passwords, which takes longer than a transaction may, so they open their
    // own transactions.
    ownUnitOfWork: [
      'googleNonce',
      'googleRegister',
      'googleLogin',
      'sso',
      'ssoByQuery',
      'confirmLink',
      'linkIdentity',
      'completeCompanySignIn',
      'samlAcs',
      'oidcCallback',
      'startCompanySignIn',
      'testProvider',
    ],
  });
}

export { checkSignIn } from './check.ts';
export { linkChanged, type LinkChanged } from './link-changed.ts';
export { signInOrigins } from './page-origins.ts';
export { allowAdminSetting, defaultRoleSetting } from './settings.ts';
export { follow } from './members.ts';
export { companyIssuer } from './company-enter.ts';
export { forgetIdentities, isMadeByIssuer } from './store.ts';
