// Writes JSON lines to standard output; passwords, tokens, secrets, authorization headers and cookies are
// masked.
import pino from 'pino';

/** The logger used throughout the server; levels and calls are pino's. */
export type Log = pino.Logger;

/** The log level: messages at this level and above are written. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

const hiddenValue = '***';
const hiddenKey = /password|passphrase|token|secret|authorization|cookie|api[-_]?key/i;
// Any message of any library may contain a connection string, so the whole line is searched.
const credentialsInUrl = /(:\/\/[^\s:@/"]*):[^\s@/"]+@/g;
// Deeper than any object that we log on purpose; also stops at circular references.
const deepestLevel = 8;

/** Masks passwords in URLs within a text. */
export function credentialsHidden(text: string): string {
  return text.replace(credentialsInUrl, `$1:${hiddenValue}@`);
}

/**
 * Creates the logger. `level` comes from the configuration; `destination` (default: standard output) is any
 * object with `write(line)`, which tests use to read the output.
 */
export function createLog(options: { level: LogLevel; destination?: { write(line: string): void } }): Log {
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorFields, error: errorFields },
    formatters: {
      level: (label) => ({ level: label }),
      log: (fields) => hideInObject(fields, 0),
    },
    hooks: { streamWrite: credentialsHidden },
  };
  return hideInChildren(
    options.destination === undefined ? pino(settings) : pino(settings, options.destination),
  );
}

/** Bindings of child loggers bypass pino's formatters, so they are masked here; children of children inherit this. */
function hideInChildren(log: Log): Log {
  const makeChild = log.child;
  return Object.defineProperty(log, 'child', {
    value: function child(this: Log, bindings: pino.Bindings, childOptions?: pino.ChildLoggerOptions): Log {
      return Reflect.apply(makeChild, this, [hideInObject(bindings, 0), childOptions]);
    },
  });
}

/** A logger that writes nothing. */
export function silentLog(): Log {
  return createLog({ level: 'silent' });
}

function hide(value: unknown, level: number): unknown {
  if (Array.isArray(value)) return level >= deepestLevel ? '[…]' : value.map((item) => hide(item, level + 1));
  if (!isPlainObject(value)) return typeof value === 'bigint' ? value.toString() : value;
  return level >= deepestLevel ? '{…}' : hideInObject(value, level + 1);
}

function hideInObject(fields: Record<string, unknown>, level: number): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    shown[key] = hiddenKey.test(key) ? hiddenValue : hide(value, level);
  }
  return shown;
}

// Requests, replies and errors are left to their serializers, which choose what to show.
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

// Not all fields of an error are logged: PostgreSQL puts the values of the offending row into `detail`.
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return hide(error, 0);
  const code = 'code' in error ? error.code : undefined;
  const cause = error.cause === undefined ? undefined : errorFields(error.cause);
  return { type: error.name, message: error.message, code, stack: error.stack, cause };
}
