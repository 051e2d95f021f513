// The public API of session policies: their calls.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { sessionPolicies, sessionPoliciesErrors } from '../contract.ts';
import {
  getOwnPolicy,
  getPlatformPolicy,
  getPolicyFor,
  setOwnPolicy,
  setPlatformPolicy,
  setPolicyFor,
} from './policies.ts';

export const sessionPoliciesFeature = feature({
  name: 'sessionpolicies',
  contract: sessionPolicies,
  errors: sessionPoliciesErrors,
  verbs: {
    getPlatformPolicy,
    setPlatformPolicy,
    getPolicyFor,
    setPolicyFor,
    getOwnPolicy,
    setOwnPolicy,
  },
});
