// The user's recent choices in the palette; kept in local storage until they sign out.
import * as z from 'zod/mini';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { recentKey } from '#platform/web/session/session.ts';
import { entryKinds } from './entries.ts';

/** A page by its path, an action by its id; other entries also with name and URL. */
const Recent = z.object({
  id: z.string(),
  kind: z.enum(entryKinds),
  label: z.string(),
  to: z.optional(z.string()),
});
export type Recent = z.output<typeof Recent>;
const Stored = z.object({ userId: z.string(), items: z.array(Recent) });

const maxRecent = 5;

/** Most recent first; empty when the stored ones belong to another user. */
export function recentOnes(): readonly Recent[] {
  try {
    const stored = z.safeParse(Stored, JSON.parse(localStorage.getItem(recentKey) ?? 'null'));
    return stored.success && stored.data.userId === useAuthStore.getState().user?.id ? stored.data.items : [];
  } catch {
    // Storage is forbidden, or contains another application's value: there are no recent entries.
    return [];
  }
}

/** Adds a choice at the front. */
export function remember(chosen: Recent): void {
  const userId = useAuthStore.getState().user?.id;
  if (userId === undefined) return;
  const items = [chosen, ...recentOnes().filter(({ id }) => id !== chosen.id)].slice(0, maxRecent);
  try {
    localStorage.setItem(recentKey, JSON.stringify({ userId, items }));
  } catch {
    // Storage is forbidden or full: the choice is not remembered.
  }
}
