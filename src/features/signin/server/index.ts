// Sign-in's door: its calls.
import { feature } from '#platform/server/feature.ts';
import { signin, signinErrors } from '../contract.ts';
import { login } from './login.ts';
import { changePassword } from './password.ts';
import { register } from './register.ts';

export const signinFeature = feature({
  name: 'signin',
  contract: signin,
  errors: signinErrors,
  verbs: { login, register, changePassword },
  // They hash passwords, which takes longer than a transaction may; they open their own units.
  ownWork: ['login', 'changePassword'],
});
