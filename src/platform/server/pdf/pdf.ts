// Draws PDFs in a separate process that starts with the first document and exits when idle, which frees its
// memory.
import type { ChildProcess } from 'node:child_process';
import { DomainError } from '#kernel/errors.ts';
import { setKeepAlive, startChild } from '../processes/child-process.ts';
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
  /** Ends the process; unfinished documents fail. The next document starts a new process. */
  readonly close: () => void;
};

type Job = {
  readonly document: PdfDocument;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: Error) => void;
};

// A bill takes hundredths of a second, one with a thousand lines a third of a second; what takes a minute
// would never end.
const usual: PdfLimits = { idleMs: 60_000, longestMs: 60_000, maxWaiting: 100 };
/** In megabytes; a document that needs more is faulty. */
const maxHeapMb = 256;

/** Creates a renderer with its own process; the console uses {@link renderPdf}. Documents are drawn one at a time. */
export function makePdfRenderer(limits: Partial<PdfLimits> = {}): PdfRenderer {
  const { idleMs, longestMs, maxWaiting } = { ...usual, ...limits };
  const waiting: Job[] = [];
  let child: ChildProcess | undefined;
  let current: Job | undefined;
  let timer: NodeJS.Timeout | undefined;

  const begin = (): ChildProcess => {
    const begun = startChild(new URL('./pdf-process.ts', import.meta.url), { heapMb: maxHeapMb });
    const lost = (error: Error): void => {
      if (child !== begun) return;
      child = undefined;
      finish((job) => job.reject(error));
    };
    begun.on('message', (answer: PdfAnswer) => {
      if (child === begun)
        finish((job) =>
          'bytes' in answer
            ? job.resolve(answer.bytes)
            : job.reject(new Error(`a document could not be drawn: ${answer.failure}`)),
        );
    });
    begun.on('error', (cause) => lost(new Error('the process that draws documents failed', { cause })));
    begun.on('exit', (code, signal) =>
      lost(new Error(`the process that draws documents ended (${signal ?? code})`)),
    );
    return begun;
  };
  const end = (): void => {
    const ending = child;
    child = undefined;
    clearTimeout(timer);
    // The process has no state to save.
    ending?.kill('SIGKILL');
  };
  const finish = (report: (job: Job) => void): void => {
    const done = current;
    current = undefined;
    clearTimeout(timer);
    if (done) report(done);
    next();
  };
  const next = (): void => {
    if (current) return;
    clearTimeout(timer);
    current = waiting.shift();
    if (!current) {
      if (!child) return;
      setKeepAlive(child, false);
      timer = setTimeout(end, idleMs).unref();
      return;
    }
    child ??= begin();
    setKeepAlive(child, true);
    child.send(current.document);
    timer = setTimeout(() => {
      end();
      finish((job) => job.reject(new Error(`a document was not drawn within ${longestMs} ms`)));
    }, longestMs);
  };
  return {
    render: (document) => {
      if (waiting.length >= maxWaiting) return Promise.reject(new DomainError('platform.busy', 503));
      return new Promise((resolve, reject) => {
        waiting.push({ document, resolve, reject });
        next();
      });
    },
    processId: () => child?.pid,
    close: () => {
      const closed = new Error('the renderer of documents was closed');
      for (const job of waiting.splice(0)) job.reject(closed);
      end();
      finish((job) => job.reject(closed));
    },
  };
}

const shared = makePdfRenderer();

/** Draws a document in the console's own PDF process; see {@link PdfRenderer.render}. */
export const renderPdf = shared.render;
