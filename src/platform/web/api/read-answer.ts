// Reads the data of an API answer, or throws the corresponding {@link ApiError}.
import { ApiError } from './api-error.ts';
import { defaultFailure, readEnvelope } from './envelope.ts';
import type { Transport } from './transport.ts';

/**
 * Returns the data of an answer, not decoded yet. Throws {@link ApiError} when the server rejected the call.
 */
export async function readAnswer(answer: Response, transport: Pick<Transport, 'failure'>): Promise<unknown> {
  const wrapped = readEnvelope(await jsonOf(answer), answer.ok, answer.headers);
  if (wrapped.isSuccess) return wrapped.data;
  const { code = 'connection.failed', errors, requestId } = wrapped;
  const message =
    wrapped.message === defaultFailure ? transport.failure('connection.failed').message : wrapped.message;
  throw new ApiError({ status: answer.status, code, message, errors, requestId });
}

async function jsonOf(answer: Response): Promise<unknown> {
  try {
    return await answer.json();
  } catch {
    // A proxy's error page or an empty body: then only the status counts.
    return undefined;
  }
}
