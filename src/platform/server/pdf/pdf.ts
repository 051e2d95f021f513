// Draws PDFs beside the console: a process that begins with the first document and ends when idle, its memory with it.
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DomainError } from '#kernel/errors.ts';
import { childEnvironment } from '../config.ts';
import type { PdfDocument } from './pdf-document.ts';
import type { PdfAnswer } from './pdf-process.ts';

/** How long the process outlives its last document, how long one document may take, and how many may wait. */
export type PdfLimits = { readonly idleMs: number; readonly longestMs: number; readonly mostWaiting: number };
export type PdfRenderer = {
  /** The bytes of a document. Refuses with `platform.busy` (503) when too many wait; throws when it cannot be drawn. */
  readonly render: (document: PdfDocument) => Promise<Uint8Array>;
  /** The process that draws, while there is one. */
  readonly processId: () => number | undefined;
  /** Ends the process; documents that were not drawn yet fail. A later document begins another one. */
  readonly close: () => void;
};

type Job = {
  readonly document: PdfDocument;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: Error) => void;
};

// A bill takes hundredths of a second, one of a thousand lines a third of one; what takes a minute never ends.
const usual: PdfLimits = { idleMs: 60_000, longestMs: 60_000, mostWaiting: 100 };
const script = fileURLToPath(new URL('./pdf-process.ts', import.meta.url));

function start(): ChildProcess {
  // No settings and no secrets of the console reach the process. A document that needs more memory than this is a mistake.
  return fork(script, {
    execArgv: ['--max-old-space-size=256'],
    env: { ...childEnvironment(), NODE_ENV: 'production' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** While nothing is drawn, the process does not keep the console alive. */
function keepAlive(child: ChildProcess, needed: boolean): void {
  const act = needed ? 'ref' : 'unref';
  child[act]();
  child.channel?.[act]();
}

/** Makes a renderer with a process of its own; the console uses {@link renderPdf}. Documents are drawn one after the other. */
export function makePdfRenderer(limits: Partial<PdfLimits> = {}): PdfRenderer {
  const { idleMs, longestMs, mostWaiting } = { ...usual, ...limits };
  const waiting: Job[] = [];
  let child: ChildProcess | undefined;
  let current: Job | undefined;
  let timer: NodeJS.Timeout | undefined;

  const begin = (): ChildProcess => {
    const begun = start();
    const lost = (why: Error): void => {
      if (child !== begun) return;
      child = undefined;
      finish((job) => job.reject(why));
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
    // It holds nothing that could be lost.
    ending?.kill('SIGKILL');
  };
  const finish = (tell: (job: Job) => void): void => {
    const done = current;
    current = undefined;
    clearTimeout(timer);
    if (done) tell(done);
    next();
  };
  const next = (): void => {
    if (current) return;
    clearTimeout(timer);
    current = waiting.shift();
    if (!current) {
      if (!child) return;
      keepAlive(child, false);
      timer = setTimeout(end, idleMs).unref();
      return;
    }
    child ??= begin();
    keepAlive(child, true);
    child.send(current.document);
    timer = setTimeout(() => {
      end();
      finish((job) => job.reject(new Error(`a document was not drawn within ${longestMs} ms`)));
    }, longestMs);
  };
  return {
    render: (document) => {
      if (waiting.length >= mostWaiting) return Promise.reject(new DomainError('platform.busy', 503));
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
