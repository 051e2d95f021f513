// The one way a file goes to the console: how far it is, and a way to stop it while it is on its way.
import { useCallback, useState } from 'react';
import type { CallOptions } from './api.ts';

export type Sending = {
  /** How much has left, from 0 to 1; at 1 the server is at work. */
  readonly ratio: number;
  /** Ends it. The server does nothing with a file that did not come whole. */
  readonly cancel: () => void;
};
/** Hands a call what it needs to be watched: `send((options) => api.uploadUsers(input, { ...options, body: file }))`. */
export type Send = <Answer>(call: (options: CallOptions) => Promise<Answer>) => Promise<Answer>;

/** `const { send, sending } = useUpload()`: `sending` is there while a file is, for {@link FileDrop} to show. */
export function useUpload(): { readonly send: Send; readonly sending: Sending | undefined } {
  const [sending, setSending] = useState<Sending>();
  const send: Send = useCallback(async (call) => {
    const stop = new AbortController();
    const tell = (ratio: number): void => setSending({ ratio, cancel: () => stop.abort() });
    tell(0);
    try {
      return await call({ signal: stop.signal, onSent: tell });
    } finally {
      setSending(undefined);
    }
  }, []);
  return { send, sending };
}
