// Draws PDFs in a separate process that starts with the first document and exits when idle, which frees its
// memory.
import pLimit from 'p-limit';
import { DomainError } from '#kernel/errors.ts';
import { ChildTooSlow, reusableProcess } from '../processes/child-process.ts';
import type { PdfDocument } from './pdf-document.ts';
import type { PdfAnswer } from './pdf-process.ts';

/**
 * `idleMs`: when an idle process is ended. `longestMs`: time limit for one document. `maxWaiting`: maximum
 * queue length.
 */
export type PdfLimits = { readonly idleMs: number; readonly longestMs: number; readonly maxWaiting: number };
export type PdfRenderer = {
  /** Renders a document. Rejects with `platform.busy` (503) when the queue is full, and when drawing fails. */
  readonly render: (document: PdfDocument) => Promise<Uint8Array>;
  /** The id of the drawing process, if it is running. */
  readonly processId: () => number | undefined;
  /** Ends the process; the next document starts a new one. */
  readonly close: () => Promise<void>;
};

// A bill takes hundredths of a second, one with a thousand lines a third of a second; what takes a minute
// would never end.
const usual: PdfLimits = { idleMs: 60_000, longestMs: 60_000, maxWaiting: 100 };
/** In megabytes; a document that needs more is faulty. */
const maxHeapMb = 256;

/** Creates a renderer with its own process; the console uses {@link renderPdf}. Documents are drawn one at a time. */
export function makePdfRenderer(limits: Partial<PdfLimits> = {}): PdfRenderer {
  const { idleMs, longestMs, maxWaiting } = { ...usual, ...limits };
  const oneByOne = pLimit(1);
  const drawing = reusableProcess<PdfDocument, PdfAnswer>(new URL('./pdf-process.ts', import.meta.url), {
    heapMb: maxHeapMb,
    longestMs,
  });
  let idle: NodeJS.Timeout | undefined;
  const close = (): Promise<void> => {
    clearTimeout(idle);
    return drawing.close();
  };
  const draw = async (document: PdfDocument): Promise<Uint8Array> => {
    clearTimeout(idle);
    try {
      const answer = await drawing.ask(document);
      if ('bytes' in answer) return answer.bytes;
      throw new Error(`a document could not be drawn: ${answer.failure}`);
    } catch (error) {
      if (error instanceof ChildTooSlow)
        throw new Error(`a document was not drawn within ${longestMs} ms`, { cause: error });
      throw error;
    } finally {
      idle = setTimeout(() => void close(), idleMs).unref();
    }
  };
  return {
    render: async (document) => {
      if (oneByOne.pendingCount >= maxWaiting) throw new DomainError('platform.busy', 503);
      return oneByOne(draw, document);
    },
    processId: drawing.pid,
    close,
  };
}

/** Draws a document in the console's own PDF process; see {@link PdfRenderer.render}. */
export const renderPdf = makePdfRenderer().render;
