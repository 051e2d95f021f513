// The only way to upload a file: with progress and a cancel button.
import { useCallback, useState } from 'react';
import type { CallOptions } from './api.ts';

export type Sending = {
  /** The share that has been sent, from 0 to 1; at 1 the server is processing the file. */
  readonly ratio: number;
  /** Cancels the upload. The server ignores an incomplete file. */
  readonly cancel: () => void;
};
/**
 * Passes a call the options that report its progress: `send((options) => api.uploadUsers(input, { ...options,
 * body: file }))`.
 */
export type Send = <Answer>(call: (options: CallOptions) => Promise<Answer>) => Promise<Answer>;

/**
 * `const { send, sending } = useUpload()`: `sending` is set during an upload, for {@link FileDrop} to
 * display.
 */
export function useUpload(): { readonly send: Send; readonly sending: Sending | undefined } {
  const [sending, setSending] = useState<Sending>();
  const send: Send = useCallback(async (call) => {
    const stop = new AbortController();
    const report = (ratio: number): void => setSending({ ratio, cancel: () => stop.abort() });
    report(0);
    try {
      return await call({ signal: stop.signal, onSent: report });
    } finally {
      setSending(undefined);
    }
  }, []);
  return { send, sending };
}
