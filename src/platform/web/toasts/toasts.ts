// Messages that come and go: results of one's own actions and live alerts. notistack queues and places them.
import type { SnackbarProvider } from 'notistack';
import { createRef } from 'react';
import { create } from 'zustand';
import { ApiError } from '../api/api-error.ts';
import { nowMs } from '../time/clock.ts';
import { toastOf } from '../api/envelope.ts';

export type ToastKind = 'success' | 'error' | 'warning' | 'info';
type ToastAction = { readonly label: string; readonly onClick: () => void };
/** What our card takes beside notistack's own. */
export type ToastExtras = { readonly button?: ToastAction | undefined };

declare module 'notistack' {
  interface VariantOverrides {
    default: false;
    success: ToastExtras;
    error: ToastExtras;
    warning: ToastExtras;
    info: ToastExtras;
  }
}

/** Own results appear bottom-left, alerts top-centre (R-SHELL-15): two queues. */
export const resultsProvider = createRef<SnackbarProvider>();
export const alertsProvider = createRef<SnackbarProvider>();
type Options = { readonly button?: ToastAction | undefined; readonly persist?: boolean };

/** What was shown and when: whoever looked away finds it again. */
export type PastToast = {
  readonly id: string;
  readonly kind: ToastKind;
  readonly message: string;
  readonly at: Date;
};
const mostPast = 200;

export const useToastHistory = create<{
  readonly past: readonly PastToast[];
  /** What a message that stays says now, by its id. */
  readonly progress: Readonly<Record<string, string>>;
}>()(() => ({ past: [], progress: {} }));
let shown = 0;

function show(
  provider: typeof resultsProvider,
  kind: ToastKind,
  message: string,
  options: Options = {},
): string {
  // Ten failed calls for one lost connection are one message; what can be acted on is never the same.
  const key = options.button ? `${kind} ${message} ${++shown}` : `${kind} ${message}`;
  const remember = (): void =>
    useToastHistory.setState(({ past }) => ({
      past: [...past, { id: `${++shown}`, kind, message, at: new Date(nowMs()) }].slice(-mostPast),
    }));
  provider.current?.enqueueSnackbar(message, {
    key,
    variant: kind,
    preventDuplicate: true,
    onEnter: remember,
    ...options,
  });
  return key;
}

/** Changes what a message that stays says. */
export function changeToast(id: string, message: string): void {
  useToastHistory.setState(({ progress }) => ({ progress: { ...progress, [id]: message } }));
}

/** Takes a message away. */
export function dismissToast(id: string): void {
  resultsProvider.current?.closeSnackbar(id);
}

/** What a failed call said; undefined for one that the person cancelled. */
export function failureMessage(error: unknown): string | undefined {
  if (error instanceof ApiError && error.code === 'connection.aborted') return undefined;
  const message = error instanceof Error ? error.message : String(error);
  // What says nothing is no result: R-API-03 has a word for it.
  return message === '' ? toastOf(null).message : message;
}

/** Results of what the person did: `toast.success(t('users.saved'))`, `toast.failure(error)`. */
export const toast = {
  success: (message: string, button?: ToastAction) => show(resultsProvider, 'success', message, { button }),
  info: (message: string, button?: ToastAction) => show(resultsProvider, 'info', message, { button }),
  error: (message: string, button?: ToastAction) => show(resultsProvider, 'error', message, { button }),
  /** What is going on and how it is ended: stays until {@link dismissToast}. */
  progress: (message: string, button: ToastAction) =>
    show(resultsProvider, 'info', message, { button, persist: true }),
  /** Shows what a failed call said. */
  failure: (error: unknown) => {
    const message = failureMessage(error);
    return message === undefined ? undefined : show(resultsProvider, 'error', message);
  },
  /** R-API-03: what a wrapped result says; anything but 'Success' is an error, no result at all is 'Unknown Error!'. */
  result: (result: { readonly message: string } | null | undefined) => {
    const { kind, message } = toastOf(result);
    return show(resultsProvider, kind, message);
  },
  /** Something that happened elsewhere: a notification that just came in. */
  alert: (kind: ToastKind, message: string, button?: ToastAction) =>
    show(alertsProvider, kind, message, { button }),
};
