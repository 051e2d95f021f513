// SQL of saved views.
import { sql } from 'kysely';
import { required } from '#kernel/assert.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { SavedView } from '../contract.ts';

/** Returns a user's views: of a screen (null: of all screens), or one of them. */
export async function viewsOf(
  ctx: Ctx,
  userId: string,
  screen: string | null,
  id: string | null = null,
): Promise<(SavedView & { screen: string })[]> {
  const { rows } = await sql<
    SavedView & { screen: string }
  >`select id, name, query, created_at as "createdAt", screen from saved_view
    where user_id = ${userId} and (${screen}::text is null or screen = ${screen}) and (${id}::text is null or id = ${id}) order by lower(name), id`.execute(
    ctx.db,
  );
  return rows;
}

/** Adds a view. */
export async function insertView(
  ctx: Ctx,
  userId: string,
  view: { screen: string; name: string; query: string },
): Promise<SavedView> {
  const { rows } =
    await sql<SavedView>`insert into saved_view (id, user_id, screen, name, query, created_at) values (${ctx.newId('viw')}, ${userId}, ${view.screen}, ${view.name}, ${view.query}, ${ctx.now})
    returning id, name, query, created_at as "createdAt"`.execute(ctx.db);
  return required(rows[0], 'the view just made');
}

/** Changes a view's name and query. */
export async function updateView(ctx: Ctx, view: SavedView): Promise<SavedView> {
  await sql`update saved_view set name = ${view.name}, query = ${view.query} where id = ${view.id}`.execute(
    ctx.db,
  );
  return view;
}

/** Deletes one of a user's views; false when the user has no such view. */
export async function deleteViewRow(ctx: Ctx, userId: string, id: string): Promise<boolean> {
  const { rows } =
    await sql`delete from saved_view where id = ${id} and user_id = ${userId} returning id`.execute(ctx.db);
  return rows.length > 0;
}
