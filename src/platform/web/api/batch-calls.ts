// Reads that are asked for at one moment travel as one call: a page that shows six things opens no six requests.
import { maxBatchedReads, batchReadsPath } from '#kernel/batch-reads.ts';

type Part = { readonly status: number; readonly body: unknown };
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isPart = (value: unknown): value is Part =>
  isRecord(value) && Number.isInteger(value['status']) && 'body' in value;

/** The answers in what came back; undefined when it is something else. */
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
 * Makes the sender of reads: `send(path)` asks the server for one path. What is asked for before the running script ends goes
 * along; one alone goes alone. Where the call for all of them is refused, each is asked for by itself and says what is wrong.
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
      // What is no JSON is as if it were refused; a refusal is read to its end too, so that its connection is free again.
      const parts = partsOf(await answer.json().catch(() => undefined));
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
