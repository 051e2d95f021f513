// Commands that use an API key, ready to be pasted into a shell.
import type { Permission } from '#kernel/permissions.ts';
import type { ApiKey } from '../contract.ts';

/** Reports one usage event. `secret` is an API key, or the name of a variable that holds one. */
export function usageExample(secret: string): string {
  return `curl -X POST ${location.origin}/api/usage/events \\
  -H "Authorization: Bearer ${secret}" \\
  -H "Content-Type: application/cloudevents+json" \\
  -d '{
    "specversion": "1.0",
    "id": "b1946ac9",
    "source": "/gateways/tpe-1",
    "type": "com.example.api.call",
    "subject": "<subscription id>",
    "time": "2026-11-20T05:43:12Z",
    "data": { "value": "3" }
  }'`;
}

/** A list call for each permission: of an Admin, and of a customer's User. */
const lists: Partial<Record<Permission, readonly [string, string]>> = {
  'catalogue:read': ['/admin/services', '/services'],
  'customers:read': ['/admin/organizations', '/organization'],
  'billing:read': ['/admin/bills', '/bills'],
  'payments:read': ['/admin/payments', '/payments'],
  'people:read': ['/admin/users', '/organization/members'],
  'operations:read': ['/admin/audit-log', '/organization/webhooks'],
};

/** A command for the first list that a key with permissions may read; undefined if there is none. */
export function permissionsExample(
  secret: string,
  { permissions, organizationId }: Pick<ApiKey, 'permissions' | 'organizationId'>,
): string | undefined {
  const [path] = permissions.flatMap(
    (permission) => lists[permission]?.[organizationId === null ? 0 : 1] ?? [],
  );
  return (
    path &&
    `curl ${location.origin}/api${path} \\
  -H "Authorization: Bearer ${secret}"`
  );
}

/** A command that reads the organization's bills. */
export function readExample(secret: string): string {
  return `curl ${location.origin}/api/bills \\
  -H "Authorization: Bearer ${secret}"`;
}
