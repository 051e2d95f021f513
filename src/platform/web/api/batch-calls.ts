// Sends reads that start within the same task as one batch call, so that a page with six parts does not open
// six requests.
import { maxBatchedReads, batchReadsPath } from '#kernel/batch-reads.ts';

type Part = { readonly status: number; readonly body: unknown };
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isPart = (value: unknown): value is Part =>
  isRecord(value) && Number.isInteger(value['status']) && 'body' in value;

/** The parts of a batch answer; undefined when the answer has another shape. */
function partsOf(answer: unknown): readonly Part[] | undefined {
  const parts = isRecord(answer) ? answer['data'] : undefined;
  return Array.isArray(parts) && parts.every(isPart) ? parts : undefined;
}

type Waiting = {
  readonly path: string;
  readonly resolve: (answer: Response) => void;
  readonly reject: (problem: unknown) => void;
};

/**
 * Creates the function that sends reads: `send(path)` requests one path. Paths requested before the running
 * task ends go into one batch call; a single path is sent by itself. When the server rejects the batch, each
 * path is sent separately and gets its own error.
 */
export function createBatcher(
  send: (path: string) => Promise<Response>,
): (path: string) => Promise<Response> {
  let waiting: Waiting[] = [];

  const sendSingly = ({ path, resolve, reject }: Waiting): void => void send(path).then(resolve, reject);

  const sendBatch = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const answer = await send(
        `${batchReadsPath}?${new URLSearchParams(group.map(({ path }): [string, string] => ['get', path])).toString()}`,
      );
      // A body that is not JSON counts as a rejection. The body of a rejection is also read to its end, which
      // frees its connection.
      const body: unknown = await answer.json().catch(() => undefined);
      // The console is unavailable at the moment, so separate reads would fail too.
      if (answer.status === 503 && isRecord(body))
        return group.forEach(({ resolve }) => resolve(Response.json(body, { status: 503 })));
      const parts = partsOf(body);
      if (!answer.ok || parts?.length !== group.length) return group.forEach(sendSingly);
      for (const [index, { status, body }] of parts.entries())
        group[index]?.resolve(Response.json(body, { status }));
    } catch (problem) {
      for (const { reject } of group) reject(problem);
    }
  };

  const flush = (): void => {
    const all = waiting;
    waiting = [];
    for (let first = 0; first < all.length; first += maxBatchedReads) {
      const group = all.slice(first, first + maxBatchedReads);
      if (group.length > 1) void sendBatch(group);
      else group.forEach(sendSingly);
    }
  };

  return (path) =>
    new Promise<Response>((resolve, reject) => {
      if (waiting.length === 0) queueMicrotask(flush);
      waiting.push({ path, resolve, reject });
    });
}
