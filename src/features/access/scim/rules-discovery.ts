// The discovery documents for SCIM clients (RFC 7643, 5 to 7).
import { mostResults, scimSchemas } from './rules.ts';

/** The supported features. */
export const serviceProviderConfig = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: mostResults },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token that an Admin made for this identity provider.',
    },
  ],
} as const;

const typeSchema = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
export const resourceTypes = [
  {
    schemas: [typeSchema],
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: 'People',
    schema: scimSchemas.user,
  },
  {
    schemas: [typeSchema],
    id: 'Group',
    name: 'Group',
    endpoint: '/Groups',
    description: 'Groups, whose roles an Admin decides',
    schema: scimSchemas.group,
  },
] as const;

type Attribute = { readonly [key: string]: unknown };
const attribute = (name: string, more: Attribute = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});
const readOnly = { mutability: 'readOnly' };

export const schemas = [
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id: scimSchemas.user,
    name: 'User',
    description: 'A person',
    attributes: [
      attribute('userName', { required: true, uniqueness: 'server', mutability: 'immutable' }),
      attribute('externalId', { caseExact: true }),
      attribute('displayName'),
      attribute('name', {
        type: 'complex',
        subAttributes: [attribute('givenName'), attribute('familyName'), attribute('formatted', readOnly)],
      }),
      attribute('active', { type: 'boolean' }),
      attribute('emails', {
        type: 'complex',
        multiValued: true,
        ...readOnly,
        subAttributes: [
          attribute('value', readOnly),
          attribute('type', readOnly),
          attribute('primary', { type: 'boolean', ...readOnly }),
        ],
      }),
      attribute('groups', {
        type: 'complex',
        multiValued: true,
        ...readOnly,
        subAttributes: [attribute('value', readOnly), attribute('display', readOnly)],
      }),
    ],
  },
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id: scimSchemas.group,
    name: 'Group',
    description: 'A group of people',
    attributes: [
      attribute('displayName', { required: true, uniqueness: 'server' }),
      attribute('externalId', { caseExact: true }),
      attribute('members', {
        type: 'complex',
        multiValued: true,
        subAttributes: [
          attribute('value', { mutability: 'immutable', caseExact: true }),
          attribute('display', readOnly),
        ],
      }),
    ],
  },
] as const;
