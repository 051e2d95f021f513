// Toasts: results of the user's own actions, and live alerts. notistack queues and places them.
import type { SnackbarProvider } from 'notistack';
import { createRef } from 'react';
import { create } from 'zustand';
import { asError } from '#kernel/errors.ts';
import { ApiError } from '../api/api-error.ts';
import { isWaiting } from '../api/waiting.ts';
import { nowMs } from '../time/clock.ts';
import { toastOf } from '../api/envelope.ts';

export type ToastKind = 'success' | 'error' | 'warning' | 'info';
type ToastAction = { readonly label: string; readonly onClick: () => void };
/** The properties of our toast card in addition to notistack's own. */
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

/** Results appear bottom-left, alerts top-center (R-SHELL-15), so there are two queues. */
export const resultsProvider = createRef<SnackbarProvider>();
export const alertsProvider = createRef<SnackbarProvider>();
type Options = { readonly button?: ToastAction | undefined; readonly persist?: boolean };

/** A toast and when it was shown, so that a user who missed it can find it again. */
export type PastToast = {
  readonly id: string;
  readonly kind: ToastKind;
  readonly message: string;
  readonly at: Date;
};
const maxPast = 200;

export const useToastHistory = create<{
  readonly past: readonly PastToast[];
  /** The current text of each progress toast, by its id. */
  readonly progress: Readonly<Record<string, string>>;
}>()(() => ({ past: [], progress: {} }));
let shown = 0;

/** Whether to load the code of the toast regions: after the page, or when something must be shown. */
export const useToastsWanted = create<{ readonly isWanted: boolean }>()(() => ({ isWanted: false }));
/** Toasts to show once the code is loaded. */
let waiting: { readonly id: string; readonly enqueue: () => void }[] = [];
/** Shows the toasts that were requested before the regions were mounted. */
export function showWaiting(): void {
  const now = waiting;
  waiting = [];
  for (const { enqueue } of now) enqueue();
}

function show(
  provider: typeof resultsProvider,
  kind: ToastKind,
  message: string,
  options: Options = {},
): string {
  // Ten calls that fail because of one lost connection show one toast; toasts with a button are never merged.
  const key = options.button ? `${kind} ${message} ${++shown}` : `${kind} ${message}`;
  const remember = (): void =>
    useToastHistory.setState(({ past }) => ({
      past: [...past, { id: `${++shown}`, kind, message, at: new Date(nowMs()) }].slice(-maxPast),
    }));
  const enqueue = (): void => {
    provider.current?.enqueueSnackbar(message, {
      key,
      variant: kind,
      preventDuplicate: true,
      onEnter: remember,
      ...options,
    });
  };
  if (provider.current) enqueue();
  else {
    waiting.push({ id: key, enqueue });
    useToastsWanted.setState({ isWanted: true });
  }
  return key;
}

/** Changes the text of a progress toast. */
export function changeToast(id: string, message: string): void {
  useToastHistory.setState(({ progress }) => ({ progress: { ...progress, [id]: message } }));
}

/** Removes a toast. */
export function dismissToast(id: string): void {
  waiting = waiting.filter((each) => each.id !== id);
  resultsProvider.current?.closeSnackbar(id);
}

/** The message of a failed call; undefined when the user canceled it. */
export function failureMessage(error: unknown): string | undefined {
  // A call that awaits another Admin has its own notice.
  if (isWaiting(error) || (error instanceof ApiError && error.code === 'connection.aborted'))
    return undefined;
  const message = asError(error).message;
  // An error without a message counts as no result (R-API-03).
  return message === '' ? toastOf(null).message : message;
}

/** Results of the user's actions: `toast.success(t('users.saved'))`, `toast.failure(error)`. */
export const toast = {
  success: (message: string, button?: ToastAction) => show(resultsProvider, 'success', message, { button }),
  info: (message: string, button?: ToastAction) => show(resultsProvider, 'info', message, { button }),
  error: (message: string, button?: ToastAction) => show(resultsProvider, 'error', message, { button }),
  /** A running action with a cancel button; stays until {@link dismissToast}. */
  progress: (message: string, button: ToastAction) =>
    show(resultsProvider, 'info', message, { button, persist: true }),
  /** Shows the message of a failed call. */
  failure: (error: unknown) => {
    const message = failureMessage(error);
    return message === undefined ? undefined : show(resultsProvider, 'error', message);
  },
  /**
   * R-API-03: the toast for a wrapped result. Any message but 'Success' is an error; no result is 'Unknown
   * Error!'.
   */
  result: (result: { readonly message: string } | null | undefined) => {
    const { kind, message } = toastOf(result);
    return show(resultsProvider, kind, message);
  },
  /** An alert about something that happened elsewhere, such as a new notification. */
  alert: (kind: ToastKind, message: string, button?: ToastAction) =>
    show(alertsProvider, kind, message, { button }),
};
