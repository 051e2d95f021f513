// Messages that come and go: results of one's own actions (3 at once, the rest waits) and live alerts (5 at once).
import { create } from 'zustand';
import type { ReactNode } from 'react';
import { ApiError } from './api-error.ts';
import { nowMs } from './clock.ts';
import { toastOf } from './envelope.ts';

export type ToastKind = 'success' | 'error' | 'warning' | 'info';
/** Own results appear bottom-left, alerts top-centre (R-SHELL-15). */
export type ToastChannel = 'results' | 'alerts';
export type Toast = {
  readonly id: number;
  readonly channel: ToastChannel;
  readonly kind: ToastKind;
  readonly message: string;
  readonly details?: ReactNode;
  /** Stays until it is taken away: something is still going on. */
  readonly stays?: boolean;
  readonly action?: { readonly label: string; readonly onClick: () => void };
};
type NewToast = Omit<Toast, 'id' | 'channel'>;

/** R-SHELL-15 */
export const toastLifeMs = 5000;
export const mostVisible: Record<ToastChannel, number> = { results: 3, alerts: 5 };
/** A storm of alerts must not fill the memory: the oldest waiting ones are dropped, and so are those long past. */
const mostWaiting = 50;
const mostPast = 200;

/** What was said and when: whoever looked away finds it again. */
export type PastToast = Pick<Toast, 'id' | 'kind' | 'message'> & { readonly at: Date };

export const useToastStore = create<{
  readonly toasts: readonly Toast[];
  readonly past: readonly PastToast[];
}>()(() => ({ toasts: [], past: [] }));
let lastId = 0;

function show(channel: ToastChannel, toast: NewToast): number {
  const { toasts, past } = useToastStore.getState();
  const same = toasts.find(
    (one) =>
      one.channel === channel && one.kind === toast.kind && one.message === toast.message && !one.action,
  );
  // Ten failed calls for one lost connection are one message.
  if (same && !toast.action) return same.id;
  const id = ++lastId;
  useToastStore.setState({
    toasts: [...toasts, { ...toast, id, channel }].slice(-mostWaiting),
    past: [...past, { id, kind: toast.kind, message: toast.message, at: new Date(nowMs()) }].slice(-mostPast),
  });
  return id;
}

/** Changes what a message says. */
export function changeToast(id: number, change: Partial<Pick<Toast, 'message' | 'details'>>): void {
  useToastStore.setState(({ toasts }) => ({
    toasts: toasts.map((one) => (one.id === id ? { ...one, ...change } : one)),
  }));
}

/** Takes a message away; the next waiting one of its channel becomes visible. */
export function dismissToast(id: number): void {
  useToastStore.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}

/** The toasts of a channel that are visible now; the rest waits its turn. */
export function visibleToasts(toasts: readonly Toast[], channel: ToastChannel): readonly Toast[] {
  return toasts.filter((toast) => toast.channel === channel).slice(0, mostVisible[channel]);
}

/** Results of what the person did: `toast.success(t('users.saved'))`, `toast.failure(error)`. */
export const toast = {
  success: (message: string, action?: Toast['action']) =>
    show('results', { kind: 'success', message, ...(action && { action }) }),
  info: (message: string, action?: Toast['action']) =>
    show('results', { kind: 'info', message, ...(action && { action }) }),
  error: (message: string, action?: Toast['action']) =>
    show('results', { kind: 'error', message, ...(action && { action }) }),
  /** What is going on and how it is ended: stays until {@link dismissToast}. */
  progress: (message: string, action: Toast['action'] & object) =>
    show('results', { kind: 'info', message, stays: true, action }),
  /** Shows what a failed call said. A call that the person cancelled says nothing. */
  failure: (error: unknown) => {
    if (error instanceof ApiError && error.code === 'connection.aborted') return 0;
    const told = error instanceof Error ? error.message : String(error);
    // What says nothing is no result: R-API-03 has a word for it.
    return show('results', { kind: 'error', message: told === '' ? toastOf(null).message : told });
  },
  /** R-API-03: what a wrapped result says; anything but 'Success' is an error, no result at all is 'Unknown Error!'. */
  result: (result: { readonly message: string } | null | undefined) => {
    const { kind, message } = toastOf(result);
    return show('results', { kind, message });
  },
  /** Something that happened elsewhere: a notification that just came in. */
  alert: (kind: ToastKind, message: string, action?: Toast['action']) =>
    show('alerts', { kind, message, ...(action && { action }) }),
};
