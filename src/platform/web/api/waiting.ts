// Calls that await a second Admin's approval (202): one notice for all of them, whatever screen made the
// call.
import * as z from 'zod/mini';
import { ApiError } from './api-error.ts';

/** The error code of such a call, so that no screen treats it as done. */
const waitingCode = 'connection.waiting';

const Waiting = z.object({ approval: z.object({ id: z.string(), state: z.literal('waiting') }) });

/** The approval request's id for a waiting call; undefined for any other answer. */
export function waitingIdOf(status: number, data: unknown): string | undefined {
  if (status !== 202) return undefined;
  const read = z.safeParse(Waiting, data);
  return read.success ? read.data.approval.id : undefined;
}

/** Whether a call was sent and awaits approval: neither done nor failed. */
export const isWaiting = (error: unknown): boolean => error instanceof ApiError && error.code === waitingCode;
