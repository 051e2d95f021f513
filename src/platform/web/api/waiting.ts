// Calls that wait for a second Admin's approval (202): one notice for all of them, whatever screen made the call.
import * as z from 'zod/mini';
import { ApiError } from './api-error.ts';

/** The code of the error that such a call becomes, so that no screen takes it for done. */
const waitingCode = 'connection.waiting';

const Waiting = z.object({ approval: z.object({ id: z.string(), state: z.literal('waiting') }) });

/** The id of the request that a call became; undefined for any other answer. */
export function waitingIdOf(status: number, data: unknown): string | undefined {
  if (status !== 202) return undefined;
  const read = z.safeParse(Waiting, data);
  return read.success ? read.data.approval.id : undefined;
}

/** Whether a call was sent and waits: neither done nor failed. */
export const isWaiting = (error: unknown): boolean => error instanceof ApiError && error.code === waitingCode;
