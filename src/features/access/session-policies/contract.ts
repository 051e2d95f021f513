// Session policies: how long people stay signed in, and from which networks. The platform's applies to
// Admins, an organization's to its people.
import * as z from 'zod/mini';
import { contract, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, text } from '#kernel/shape.ts';

/**
 * A session in use renews its access token only a minute before the token's 15 minutes are over; a shorter
 * limit would end sessions that are in use.
 */
export const shortestIdleMinutes = 15;
/** Three days, the longest lifetime of any session. */
export const longestSessionHours = 72;
/** The largest number of networks in a policy. */
export const mostNetworks = 50;

export const policyFields = {
  /** Minutes without use after which a session ends; null: it does not end by inactivity. */
  idleMinutes: z.nullable(z.int().check(z.minimum(shortestIdleMinutes), z.maximum(1440))),
  /** The longest lifetime of a session, in hours; null: three days. */
  sessionHours: z.nullable(z.int().check(z.minimum(1), z.maximum(longestSessionHours))),
  /**
   * Addresses and networks from which people can sign in (`203.0.113.7`, `10.1.0.0/16`, `2001:db8::/48`);
   * empty: any.
   */
  networks: z.array(text(50)).check(z.maxLength(mostNetworks)),
};

export const SessionPolicy = z.strictObject({
  ...policyFields,
  /** The caller's address, as the console sees it. */
  ownAddress: z.string(),
  /** The listed network that includes the caller's address; null: none does. */
  ownNetwork: z.nullable(z.string()),
  /** Null: never set. */
  changedAt: z.nullable(instant),
  changedBy: z.nullable(z.string()),
});
export type SessionPolicy = z.output<typeof SessionPolicy>;

const admin = { roles: ['Admin'] } as const;
const owner = { roles: ['User'] } as const;
const one = { organizationId: id('org') };

export const sessionPolicies = contract({
  getPlatformPolicy: route({
    method: 'GET',
    path: '/admin/session-policy',
    access: admin,
    summary: 'Get the Admins’ session policy',
    description: 'How long Admins stay signed in, and which networks they may come from.',
    input: noInput,
    output: SessionPolicy,
  }),
  setPlatformPolicy: route({
    method: 'PUT',
    path: '/admin/session-policy',
    access: admin,
    fresh: true,
    summary: 'Update the Admins’ session policy',
    description: 'Applies to open sessions immediately. The networks must include your own address.',
    input: z.strictObject(policyFields),
    output: SessionPolicy,
  }),
  getPolicyFor: route({
    method: 'GET',
    path: '/admin/organizations/:organizationId/session-policy',
    access: admin,
    summary: 'Get an organization’s session policy',
    description: 'How long its people stay signed in, and which networks they may come from.',
    input: z.strictObject(one),
    output: SessionPolicy,
  }),
  setPolicyFor: route({
    method: 'PUT',
    path: '/admin/organizations/:organizationId/session-policy',
    access: admin,
    fresh: true,
    summary: 'Update an organization’s session policy',
    description: 'For example, after its people have locked themselves out.',
    input: z.strictObject({ ...one, ...policyFields }),
    output: SessionPolicy,
  }),
  getOwnPolicy: route({
    method: 'GET',
    path: '/organization/session-policy',
    access: owner,
    summary: 'Get your session policy',
    description:
      'How long people in your organization stay signed in, and which networks they may come from.',
    input: noInput,
    output: SessionPolicy,
  }),
  setOwnPolicy: route({
    method: 'PUT',
    path: '/organization/session-policy',
    access: owner,
    fresh: true,
    summary: 'Update your session policy',
    description: 'Applies to open sessions immediately. The networks must include your own address.',
    input: z.strictObject(policyFields),
    output: SessionPolicy,
  }),
});

export const sessionPoliciesErrors = {
  'sessionpolicies.network_wrong': 400,
  'sessionpolicies.network_own': 422,
} as const satisfies ErrorTable;
