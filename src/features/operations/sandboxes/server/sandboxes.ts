// Creates, moves, resets and deletes an Admin's sandboxes. Their rows are in the console's database; their
// own databases are created and dropped between transactions, in an order that lets the jobs find and finish
// whatever is left half done.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import { dayMs } from '#kernel/durations.ts';
import { failPoint } from '#platform/server/fail-point.ts';
import type { SandboxHost } from '#platform/server/sandbox-host.ts';
import { hasCode } from '#platform/server/system-error.ts';
import { person, type App, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import {
  maxMoveMonths,
  maxSandboxes,
  sandboxesErrors,
  unusedDays,
  type Sandbox,
  type SandboxMail,
  type sandboxes,
} from '../contract.ts';
import { isStart, targetOf } from '../rules.ts';
import { beginningOf, fill, type Beginning, type Keys } from './fill.ts';
import { noteHoldings, zoneInside } from './move-clock.ts';
import {
  beginReset,
  countSandboxes,
  deleteSandboxRow,
  endMove,
  finishReset,
  forgetReset,
  insertSandbox,
  lockSandbox,
  pageOfSandboxes,
  sandboxById,
  setDeleting,
  setReady,
  storeMove,
  type SandboxRow,
} from './store.ts';
import { pageOfMails } from './store-inside.ts';

export const moveJobName = 'sandbox-clock';

/** Returns the host that runs sandboxes. @throws DomainError `sandboxes.inside` in a sandbox itself */
function hostOf(app: App): SandboxHost<App> {
  if (!app.sandboxes) throw domainError(sandboxesErrors, 'sandboxes.inside');
  return app.sandboxes;
}

/** When a sandbox that is no longer used will be deleted. */
export const deletedAtOf = ({ lastUsedAt }: Pick<SandboxRow, 'lastUsedAt'>): Date =>
  new Date(lastUsedAt.getTime() + unusedDays * dayMs);

const viewOf = (app: App, row: SandboxRow): Sandbox => ({
  id: row.id,
  name: row.name,
  state: row.state,
  address: `${app.address()}/sandbox/${row.id}`,
  startAt: row.startAt,
  clockAt: row.clockAt,
  move:
    row.moveFrom && row.moveTo && row.moveState
      ? { from: row.moveFrom, to: row.moveTo, state: row.moveState }
      : null,
  customers: row.customers,
  bills: row.bills,
  mails: row.mails,
  lastUsedAt: row.lastUsedAt,
  deletedAt: deletedAtOf(row),
  createdBy: row.createdBy,
  createdAt: row.createdAt,
});

const databaseOf = (id: string, make: string): string => `skytally_sandbox_${id.slice(4)}_${make.slice(-6)}`;

async function found(ctx: Ctx, id: string, lock = false): Promise<SandboxRow> {
  const row = lock ? await lockSandbox(ctx, id) : await sandboxById(ctx, id);
  if (!row) throw domainError(sandboxesErrors, 'sandboxes.not_found');
  return row;
}

/** @throws DomainError `sandboxes.not_ready` for one that is being created or deleted */
function assertReady(row: SandboxRow): void {
  if (row.state !== 'ready' || row.nextDatabase !== null)
    throw domainError(sandboxesErrors, 'sandboxes.not_ready', { name: row.name });
}

export async function listSandboxes(
  ctx: Ctx,
  input: In<typeof sandboxes.listSandboxes>,
): Promise<Page<Sandbox>> {
  const page = await pageOfSandboxes(ctx, input);
  return { ...page, items: page.items.map((row) => viewOf(ctx.app, row)) };
}

/** Returns one sandbox. Its contents are counted anew, except while its clock moves: then it is busy. */
export async function getSandbox(ctx: Ctx, { sandboxId }: In<typeof sandboxes.getSandbox>): Promise<Sandbox> {
  const row = await found(ctx, sandboxId);
  if (!ctx.app.sandboxes || row.state !== 'ready' || row.moveState === 'running') return viewOf(ctx.app, row);
  await ctx.app.sandboxes.use(row, (sandbox) => noteHoldings(ctx.app, sandboxId, sandbox));
  return viewOf(ctx.app, await found(ctx, sandboxId));
}

/** Creates the database of a sandbox, its Admin and keys. After a failure, the remains are dropped. */
async function make(
  host: SandboxHost<App>,
  place: { readonly id: Id<'sbx'>; readonly database: string; readonly clockAt: Date },
  beginning: Beginning,
): Promise<Keys> {
  try {
    await host.createDatabase(place.database);
    return await host.use(place, (sandbox) => fill(sandbox, beginning));
  } catch (error) {
    await host.dropDatabase(place.database);
    if (hasCode(error, '42501'))
      throw domainError(sandboxesErrors, 'sandboxes.no_database', { role: await host.role() });
    throw error;
  }
}

export async function createSandbox(
  { app, actor, language, requestId }: Ctx,
  { name, startAt, copyCatalogue }: In<typeof sandboxes.createSandbox>,
): Promise<Out<typeof sandboxes.createSandbox>> {
  const host = hostOf(app);
  const who = { actor, language, requestId };
  const { row, beginning } = await unitOfWork(app, who, async (ctx) => {
    if (!isStart(startAt, ctx.now))
      throw domainError(sandboxesErrors, 'sandboxes.start_range', {}, ['startAt']);
    await lockUntilEnd(ctx, 'sandboxes');
    if ((await countSandboxes(ctx)) >= maxSandboxes)
      throw domainError(sandboxesErrors, 'sandboxes.too_many', { most: maxSandboxes });
    const id = ctx.newId('sbx');
    const database = databaseOf(id, id);
    await insertSandbox(ctx, {
      id,
      name,
      database,
      startAt,
      copiesCatalogue: copyCatalogue,
      createdBy: person(ctx).name,
    });
    ctx.audit('sandboxes.createSandbox', id, { name, startAt, copyCatalogue });
    return { row: await found(ctx, id), beginning: await beginningOf(ctx, copyCatalogue) };
  });
  const keys = await make(host, row, beginning).catch(async (error: unknown) => {
    await unitOfWork(app, who, (ctx) => deleteSandboxRow(ctx, row.id));
    throw error;
  });
  return unitOfWork(app, who, async (ctx) => {
    if (!(await setReady(ctx, row.id, row.database)))
      throw domainError(sandboxesErrors, 'sandboxes.not_found');
    return { sandbox: viewOf(app, await found(ctx, row.id)), ...keys };
  });
}

/** Requests a move of the clock; a job carries it out. */
export async function moveClock(
  { app, actor, language, requestId }: Ctx,
  { sandboxId, ...wanted }: In<typeof sandboxes.moveClock>,
): Promise<Sandbox> {
  const host = hostOf(app);
  const who = { actor, language, requestId };
  const before = await unitOfWork(app, { ...who, mode: 'read' }, (ctx) => found(ctx, sandboxId));
  assertReady(before);
  const zone = await host.use(before, zoneInside);
  return unitOfWork(app, who, async (ctx) => {
    const row = await found(ctx, sandboxId, true);
    assertReady(row);
    if (row.moveState === 'running')
      throw domainError(sandboxesErrors, 'sandboxes.moving', { name: row.name });
    const to = targetOf(row.clockAt, wanted, zone);
    // used as: 'sandboxes.clock_*'
    if (!(to instanceof Date))
      throw domainError(sandboxesErrors, `sandboxes.clock_${to}`, { most: maxMoveMonths }, [
        wanted.months === undefined ? (wanted.days === undefined ? 'to' : 'days') : 'months',
      ]);
    await storeMove(ctx, sandboxId, to);
    await ctx.enqueue(moveJobName, { sandboxId }, sandboxId);
    ctx.audit('sandboxes.moveClock', sandboxId, { name: row.name, from: row.clockAt, to });
    return viewOf(app, await found(ctx, sandboxId));
  });
}

export async function cancelMove(ctx: Ctx, { sandboxId }: In<typeof sandboxes.cancelMove>): Promise<Sandbox> {
  const row = await found(ctx, sandboxId, true);
  if (row.moveState !== 'running')
    throw domainError(sandboxesErrors, 'sandboxes.not_moving', { name: row.name });
  await endMove(ctx, sandboxId, 'cancelled');
  ctx.audit('sandboxes.cancelMove', sandboxId, { name: row.name, at: row.clockAt });
  return viewOf(ctx.app, await found(ctx, sandboxId));
}

export async function listSandboxMails(
  ctx: Ctx,
  { sandboxId, ...input }: In<typeof sandboxes.listSandboxMails>,
): Promise<Page<SandboxMail>> {
  const row = await found(ctx, sandboxId);
  assertReady(row);
  return hostOf(ctx.app).use(row, ({ app }) =>
    unitOfWork(app, { actor: { kind: 'system', name: 'sandbox' }, mode: 'read' }, (inside) =>
      pageOfMails(inside, input),
    ),
  );
}

/** Creates a new database first, and replaces the old one when it is complete. */
export async function resetSandbox(
  { app, actor, language, requestId }: Ctx,
  { sandboxId }: In<typeof sandboxes.resetSandbox>,
): Promise<Out<typeof sandboxes.resetSandbox>> {
  const host = hostOf(app);
  const who = { actor, language, requestId };
  const { row, database, beginning } = await unitOfWork(app, who, async (ctx) => {
    const locked = await found(ctx, sandboxId, true);
    assertReady(locked);
    if (locked.moveState === 'running')
      throw domainError(sandboxesErrors, 'sandboxes.moving', { name: locked.name });
    const next = databaseOf(sandboxId, ctx.newId('sbx'));
    await beginReset(ctx, sandboxId, next);
    ctx.audit('sandboxes.resetSandbox', sandboxId, { name: locked.name });
    return {
      row: locked,
      database: next,
      beginning: await beginningOf(ctx, locked.copiesCatalogue),
    };
  });
  const keys = await make(host, { id: sandboxId, database, clockAt: row.startAt }, beginning).catch(
    async (error: unknown) => {
      await unitOfWork(app, who, (ctx) => forgetReset(ctx, sandboxId, database));
      throw error;
    },
  );
  const sandbox = await unitOfWork(app, who, async (ctx) => {
    if (!(await finishReset(ctx, sandboxId, database)))
      throw domainError(sandboxesErrors, 'sandboxes.not_found');
    return viewOf(app, await found(ctx, sandboxId));
  });
  await host.dropDatabase(row.database);
  return { sandbox, ...keys };
}

export async function deleteSandbox(
  { app, actor, language, requestId }: Ctx,
  { sandboxId }: In<typeof sandboxes.deleteSandbox>,
): Promise<null> {
  const host = hostOf(app);
  const who = { actor, language, requestId };
  const row = await unitOfWork(app, who, async (ctx) => {
    const locked = await found(ctx, sandboxId, true);
    await setDeleting(ctx, sandboxId);
    ctx.audit('sandboxes.deleteSandbox', sandboxId, { name: locked.name });
    return locked;
  });
  failPoint(app, 'sandboxes: to be deleted');
  await dropSandbox(app, host, row);
  return null;
}

/** Drops a sandbox's databases, and then its row. Safe to repeat. */
export async function dropSandbox(app: App, host: SandboxHost<App>, row: SandboxRow): Promise<void> {
  await host.dropDatabase(row.database);
  if (row.nextDatabase !== null) await host.dropDatabase(row.nextDatabase);
  await unitOfWork(app, { actor: { kind: 'system', name: 'sandboxes' } }, async (ctx) => {
    await deleteSandboxRow(ctx, row.id);
  });
}
