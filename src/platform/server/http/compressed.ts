// Answers that are compressed as they are sent. Pages and their code are compressed when they are built.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whether the client takes a content coding (RFC 9110, section 12.5.3); `*` counts for none. */
function takes(request: FastifyRequest, coding: string): boolean {
  const [accepted] = [request.headers['accept-encoding'] ?? ''].flat();
  return (accepted ?? '').split(',').some((each) => {
    const [name, ...weights] = each.split(';').map((part) => part.trim().toLowerCase());
    return name === coding && !weights.some((weight) => /^q=0(\.0*)?$/.test(weight));
  });
}

/** Sends JSON with Brotli or gzip, whichever the client takes; the work is done beside the event loop. Nothing is kept. */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  data: object,
): Promise<FastifyReply> {
  const json = Buffer.from(JSON.stringify(data));
  reply.header('vary', 'accept-encoding').type('application/json; charset=utf-8');
  if (takes(request, 'br'))
    return reply.header('content-encoding', 'br').send(
      await promisify(brotliCompress)(json, {
        // Levels above take several times as long for a few per cent.
        params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: json.length },
      }),
    );
  if (takes(request, 'gzip'))
    return reply.header('content-encoding', 'gzip').send(await promisify(gzip)(json));
  return reply.send(json);
}
