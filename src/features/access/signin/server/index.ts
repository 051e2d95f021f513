// Sign-in's public API: its calls, and functions for other features.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { signin, signinErrors } from '../contract.ts';
import { signinJobs } from './jobs.ts';
import { login } from './login.ts';
import { addPasskey, listPasskeys, passkeyOptions, removePasskey, renamePasskey } from './passkeys.ts';
import { passkeyLogin, passkeyLoginOptions } from './passkey-login.ts';
import { changePassword, passwordRules } from './password.ts';
import { reauthenticate } from './prove.ts';
import { register } from './register.ts';
import { askReset, resetForUser, resetPassword } from './reset.ts';
import {
  confirmTwoFactor,
  removeFactors,
  removeTwoFactor,
  renewRecoveryCodes,
  startTwoFactor,
  twoFactor,
} from './two-factor.ts';
import { verifyEmail } from './verify-email.ts';

export const signinFeature = feature({
  name: 'signin',
  contract: signin,
  errors: signinErrors,
  verbs: {
    passwordRules,
    login,
    register,
    verifyEmail,
    askReset,
    resetPassword,
    resetForUser,
    changePassword,
    reauthenticate,
    twoFactor,
    startTwoFactor,
    confirmTwoFactor,
    removeTwoFactor,
    removeFactors,
    renewRecoveryCodes,
    listPasskeys,
    passkeyOptions,
    addPasskey,
    renamePasskey,
    removePasskey,
    passkeyLoginOptions,
    passkeyLogin,
  },
  // These hash passwords, which takes longer than a transaction may, or count attempts, which must stay even
  // when the call fails.
  ownUnitOfWork: [
    'login',
    'register',
    'verifyEmail',
    'askReset',
    'resetPassword',
    'changePassword',
    'reauthenticate',
    'confirmTwoFactor',
    'removeTwoFactor',
    'renewRecoveryCodes',
    'addPasskey',
    'passkeyLogin',
  ],
  jobs: signinJobs,
});

export { accessChanged, type AccessChanged } from './access-changed.ts';
export { beginAttempt } from './attempts.ts';
export { proveLogin, proveOwner } from './prove.ts';
export { resetMany } from './reset.ts';
export { askToConfirm } from './verify-email.ts';
