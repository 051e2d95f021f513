// A view as another user ends when its page is reloaded (docs/decisions/0032). This tab remembers whose it was,
// so that the page that then denies access to the Admin can say what happened.
import { useAuthStore } from './auth-store.ts';

const key = 'viewing';

/** The user as whom the console was viewed. */
export type InterruptedView = { readonly userId: string; readonly name: string };

/** Remembers a view by the Admin until {@link forgetView}. */
export function rememberView(adminId: string, view: InterruptedView): void {
  sessionStorage.setItem(key, JSON.stringify({ adminId, ...view }));
}

/** Forgets the view; it has been ended on purpose, or has expired. */
export function forgetView(): void {
  sessionStorage.removeItem(key);
}

/** The view of the signed-in Admin that a reload of this tab ended; null if there was none. */
export function interruptedView(): InterruptedView | null {
  const text = sessionStorage.getItem(key);
  if (text === null) return null;
  const { adminId, ...view } = JSON.parse(text) as InterruptedView & { readonly adminId: string };
  return adminId === useAuthStore.getState().user?.id ? view : null;
}
