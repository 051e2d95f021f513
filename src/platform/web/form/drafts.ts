// Saves form input when a session expires, in this tab, until the same user signs in again (R-AUTH-13).
import { onSessionLost } from '../session/session.ts';
import { useAuthStore } from '../session/auth-store.ts';

/** A mounted form, as needed by this module. */
export type OpenForm = {
  readonly key: string;
  readonly isDirty: () => boolean;
  readonly values: () => Readonly<Record<string, unknown>>;
};

const open = new Set<OpenForm>();
const prefix = 'draft ';
/** Fields that are never saved: secrets that prove an identity. */
const secret = /password|confirm|current|next|otp|code|secret|token|key/i;

/** Identifies a form by its page and its fields. */
export const draftKey = (path: string, fields: readonly string[]): string =>
  `${prefix}${path} ${[...fields].sort().join(',')}`;

/** Watches a form while it is mounted. Returns the function that stops it. */
export function watchForm(form: OpenForm): () => void {
  open.add(form);
  return () => void open.delete(form);
}

/** Saves a user's changed forms, without secrets. */
export function saveDrafts(userId: string): void {
  for (const form of open) {
    if (!form.isDirty()) continue;
    const values = Object.fromEntries(Object.entries(form.values()).filter(([name]) => !secret.test(name)));
    sessionStorage.setItem(form.key, JSON.stringify({ userId, values }));
  }
}

/** Takes the draft of a form, once, if it belongs to the user who is now signed in. */
export function takeDraft(key: string): Readonly<Record<string, unknown>> | undefined {
  const text = sessionStorage.getItem(key);
  if (text === null) return undefined;
  const draft = JSON.parse(text) as { userId: string; values: Record<string, unknown> };
  if (draft.userId !== useAuthStore.getState().user?.id) return undefined;
  sessionStorage.removeItem(key);
  return draft.values;
}

onSessionLost((user) => {
  if (user) saveDrafts(user.id);
});
