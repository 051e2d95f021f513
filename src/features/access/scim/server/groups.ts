// The groups of SCIM: list, get, create, replace, patch, delete. Their members get the roles that an Admin
// assigned to the group.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { consoleAddresses, type Provider } from '#features/access/providers/server/index.ts';
import {
  listBody,
  mostFiltered,
  patched,
  readFilter,
  readGroup,
  readPage,
  ScimError,
  scimSchemas,
  type GivenGroup,
  type ScimGroup,
} from '../rules.ts';
import { admit } from './admit.ts';
import {
  changeGroup,
  countGroupsOf,
  deleteGroupRow,
  groupOf,
  groupsOf,
  insertGroup,
  replaceMembers,
  strangers,
  type GroupRow,
} from './store.ts';
import type { ListQuery } from './users.ts';

const viewOf = (ctx: Ctx, provider: Provider, row: GroupRow): ScimGroup => ({
  schemas: [scimSchemas.group],
  id: row.id,
  ...(row.externalId !== null && { externalId: row.externalId }),
  displayName: row.displayName,
  members: row.members,
  meta: {
    resourceType: 'Group',
    created: row.createdAt,
    lastModified: row.changedAt,
    location: `${consoleAddresses(ctx.app, provider).scimUrl}/Groups/${row.id}`,
    version: `W/"${row.version}"`,
  },
});

/** Omits members on request, because a group may have thousands. */
function shown(query: ListQuery, group: ScimGroup): object {
  const isExcluded = query.excludedAttributes
    ?.split(',')
    .some((name) => name.trim().toLowerCase() === 'members');
  if (!isExcluded) return group;
  const { members: _left, ...rest } = group;
  return rest;
}

export async function listScimGroups(ctx: Ctx, provider: Provider, query: ListQuery): Promise<object> {
  const { startIndex, count } = readPage(query);
  const asked = readFilter(query.filter);
  const wanted = asked.is === 'one' ? asked : undefined;
  const total = await countGroupsOf(ctx, provider.id, wanted);
  const offset = startIndex - 1;
  if (asked.is !== 'some') {
    const rows = await groupsOf(ctx, provider.id, wanted, { offset, limit: count });
    return listBody(
      rows.map((row) => shown(query, viewOf(ctx, provider, row))),
      { startIndex, total },
    );
  }
  if (total > mostFiltered)
    throw new ScimError(400, 'Too many groups for this filter; filter by displayName.', 'tooMany');
  const all = await groupsOf(ctx, provider.id, undefined, { offset: 0, limit: mostFiltered });
  const found = all.map((row) => viewOf(ctx, provider, row)).filter(asked.matches);
  return listBody(
    found.slice(offset, offset + count).map((group) => shown(query, group)),
    { startIndex, total: found.length },
  );
}

async function requireGroup(ctx: Ctx, provider: Provider, groupId: string): Promise<GroupRow> {
  const row = await groupOf(ctx, provider.id, groupId);
  if (!row) throw new ScimError(404, `There is no group ${groupId}.`);
  return row;
}

export async function getScimGroup(
  ctx: Ctx,
  provider: Provider,
  groupId: string,
  query: ListQuery = {},
): Promise<object> {
  return shown(query, viewOf(ctx, provider, await requireGroup(ctx, provider, groupId)));
}

const nameTaken = ({ displayName }: GivenGroup): ScimError =>
  new ScimError(409, `There is a group ${displayName} already.`, 'uniqueness');

async function assertMembers(ctx: Ctx, provider: Provider, { members }: GivenGroup): Promise<void> {
  const [unknown] = await strangers(ctx, provider.id, members);
  if (unknown !== undefined) throw new ScimError(400, `There is no user ${unknown}.`, 'invalidValue');
}

export async function createScimGroup(ctx: Ctx, provider: Provider, body: unknown): Promise<object> {
  const given = readGroup(body);
  await assertMembers(ctx, provider, given);
  const groupId = await insertGroup(ctx, provider.id, given);
  if (!groupId) throw nameTaken(given);
  for (const userId of await replaceMembers(ctx, groupId, given.members)) await admit(ctx, provider, userId);
  ctx.audit('scim.createGroup', groupId, { provider: provider.id, name: given.displayName });
  return getScimGroup(ctx, provider, groupId);
}

export async function replaceScimGroup(
  ctx: Ctx,
  provider: Provider,
  groupId: string,
  body: unknown,
): Promise<object> {
  await lockUntilEnd(ctx, `scim ${provider.id} ${groupId}`);
  const before = await requireGroup(ctx, provider, groupId);
  return change(ctx, provider, before, readGroup(body));
}

async function change(ctx: Ctx, provider: Provider, before: GroupRow, given: GivenGroup): Promise<object> {
  await assertMembers(ctx, provider, given);
  if (!(await changeGroup(ctx, provider.id, before.id, given))) throw nameTaken(given);
  const moved = await replaceMembers(ctx, before.id, given.members);
  // After renaming, the group may have another role.
  const affected = before.displayName === given.displayName ? moved : [...moved, ...given.members];
  for (const userId of new Set(affected)) await admit(ctx, provider, userId);
  ctx.audit('scim.updateGroup', before.id, {
    provider: provider.id,
    name: given.displayName,
    changedMembers: moved,
  });
  return getScimGroup(ctx, provider, before.id);
}

export async function patchScimGroup(
  ctx: Ctx,
  provider: Provider,
  groupId: string,
  body: unknown,
): Promise<object> {
  await lockUntilEnd(ctx, `scim ${provider.id} ${groupId}`);
  const before = await requireGroup(ctx, provider, groupId);
  const view = viewOf(ctx, provider, before);
  const bare = { ...view, members: view.members.map(({ value }) => ({ value })) };
  return change(ctx, provider, before, readGroup(patched(bare, body)));
}

export async function deleteScimGroup(ctx: Ctx, provider: Provider, groupId: string): Promise<void> {
  const before = await requireGroup(ctx, provider, groupId);
  await deleteGroupRow(ctx, groupId);
  for (const { value } of before.members) await admit(ctx, provider, value);
  ctx.audit('scim.deleteGroup', groupId, { provider: provider.id, name: before.displayName });
}
