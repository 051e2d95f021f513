// What was typed when a session ended in the middle of a form: kept in this tab until the same person is back (R-AUTH-13).
import { onSessionLost } from '../session/session.ts';
import { useAuthStore } from '../session/auth-store.ts';

/** A form on the screen, as the keeper of drafts sees it. */
export type OpenForm = {
  readonly key: string;
  readonly isDirty: () => boolean;
  readonly values: () => Readonly<Record<string, unknown>>;
};

const open = new Set<OpenForm>();
const prefix = 'draft ';
/** Never kept: what proves who somebody is. */
const secret = /password|confirm|current|next|otp|code|secret|token|key/i;

/** Names a form by where it stands and what it asks for. */
export const draftKey = (path: string, fields: readonly string[]): string =>
  `${prefix}${path} ${[...fields].sort().join(',')}`;

/** Watches a form as long as it is on the screen. Returns the way to stop. */
export function watchForm(form: OpenForm): () => void {
  open.add(form);
  return () => void open.delete(form);
}

/** Keeps the changed forms of a person; secrets are left out. */
export function keepDrafts(userId: string): void {
  for (const form of open) {
    if (!form.isDirty()) continue;
    const values = Object.fromEntries(Object.entries(form.values()).filter(([name]) => !secret.test(name)));
    sessionStorage.setItem(form.key, JSON.stringify({ userId, values }));
  }
}

/** Takes the draft of a form, once, when it belongs to the person who is signed in now. */
export function takeDraft(key: string): Readonly<Record<string, unknown>> | undefined {
  const text = sessionStorage.getItem(key);
  if (text === null) return undefined;
  const draft = JSON.parse(text) as { userId: string; values: Record<string, unknown> };
  if (draft.userId !== useAuthStore.getState().user?.id) return undefined;
  sessionStorage.removeItem(key);
  return draft.values;
}

onSessionLost((user) => {
  if (user) keepDrafts(user.id);
});
