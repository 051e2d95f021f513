import { describe, expect, it } from 'vitest';
import { maxBatchedReads } from '#kernel/batch-reads.ts';
import { createBatcher } from './batch-calls.ts';

/** A server that responds to each path with its name, and to a batch like the real server. */
function server(
  own: {
    batch?: (paths: readonly string[]) => Response;
    statuses?: Readonly<Record<string, number>>;
  } = {},
) {
  const sent: string[] = [];
  const bodyOf = (path: string) => ({ data: path, isSuccess: true, message: 'Success' });
  const send = async (path: string): Promise<Response> => {
    sent.push(path);
    if (!path.startsWith('/together?'))
      return Response.json(bodyOf(path), { status: own.statuses?.[path] ?? 200 });
    const paths = new URLSearchParams(path.slice(path.indexOf('?'))).getAll('get');
    return (
      own.batch?.(paths) ??
      Response.json({
        data: paths.map((one) => ({ status: own.statuses?.[one] ?? 200, retryAfter: 0, body: bodyOf(one) })),
        isSuccess: true,
        message: 'Success',
      })
    );
  };
  return { sent, send: createBatcher(send) };
}
const read = async (answer: Promise<Response>) => ({
  status: (await answer).status,
  data: ((await (await answer).json()) as { data: unknown }).data,
});

describe('concurrent reads (R-API-01)', () => {
  it('are sent as one call, and each gets its own response', async () => {
    const { sent, send } = server({ statuses: { '/b?x=1&y=2': 403 } });
    const answers = await Promise.all(['/a', '/b?x=1&y=2', '/c'].map((path) => read(send(path))));
    expect(answers).toEqual([
      { status: 200, data: '/a' },
      { status: 403, data: '/b?x=1&y=2' },
      { status: 200, data: '/c' },
    ]);
    expect(sent).toEqual(['/together?get=%2Fa&get=%2Fb%3Fx%3D1%26y%3D2&get=%2Fc']);
  });

  it('are sent alone if there is only one', async () => {
    const { sent, send } = server();
    await send('/a');
    await send('/b');
    expect(sent).toEqual(['/a', '/b']);
  });

  it('are limited per call to what the server accepts', async () => {
    const { sent, send } = server();
    const paths = Array.from({ length: maxBatchedReads + 1 }, (_, index) => `/n/${index}`);
    expect((await Promise.all(paths.map((path) => read(send(path))))).map(({ data }) => data)).toEqual(paths);
    expect(sent).toHaveLength(2);
  });

  it.each([
    ['refused', () => Response.json({ isSuccess: false }, { status: 400 })],
    ['answered by a proxy', () => new Response('<html>', { status: 502 })],
    ['answered with a page', () => new Response('<html>')],
    ['answered in another format', () => Response.json({ data: [] })],
    [
      'answered short',
      (paths: readonly string[]) =>
        Response.json({ data: paths.slice(1).map((path) => ({ status: 200, body: { data: path } })) }),
    ],
  ])('are repeated one by one when the batch is %s', async (_how, batch) => {
    const { sent, send } = server({ batch });
    expect(await Promise.all(['/a', '/b'].map((path) => read(send(path))))).toEqual([
      { status: 200, data: '/a' },
      { status: 200, data: '/b' },
    ]);
    expect(sent.slice(1)).toEqual(['/a', '/b']);
  });

  it('all fail like a single call without a response', async () => {
    const lost = new Error('no network');
    const send = createBatcher(() => Promise.reject(lost));
    expect(await Promise.allSettled(['/a', '/b'].map(send))).toEqual([
      { status: 'rejected', reason: lost },
      { status: 'rejected', reason: lost },
    ]);
  });
});
