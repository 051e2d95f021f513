// The public API of custom roles: their calls.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { customRoles, customRolesErrors } from '../contract.ts';
import {
  createOwnRole,
  createRole,
  deleteOwnRole,
  deleteRole,
  listOwnRoles,
  listRoles,
  updateOwnRole,
  updateRole,
} from './roles.ts';

export const customRolesFeature = feature({
  name: 'customroles',
  contract: customRoles,
  errors: customRolesErrors,
  verbs: {
    listRoles,
    createRole,
    updateRole,
    deleteRole,
    listOwnRoles,
    createOwnRole,
    updateOwnRole,
    deleteOwnRole,
  },
});
