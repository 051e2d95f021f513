// Writes JSON lines to standard output, in which no password, token, secret, authorization or cookie appears.
import pino from 'pino';

/** The logger every machine and verb receives; levels and calls are pino's. */
export type Log = pino.Logger;

/** How much is written: everything at this level and above. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

const hiddenValue = '***';
const hiddenKey = /password|passphrase|token|secret|authorization|cookie|api[-_]?key/i;
// A connection string may appear inside any message of any library, so the whole line is looked at.
const credentialsInUrl = /(:\/\/[^\s:@/"]*):[^\s@/"]+@/g;
// Deeper than any object we log on purpose; it also ends the walk through circular ones.
const deepestLevel = 8;

/** A text without passwords in addresses of services. */
export function credentialsHidden(text: string): string {
  return text.replace(credentialsInUrl, `$1:${hiddenValue}@`);
}

/**
 * Makes the logger. `level` comes from the configuration; `destination` (default: standard output) is
 * any object with `write(line)`, which tests use to read what was written.
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

/** What is bound to a child logger passes none of pino's formatters. Children inherit this from the logger they come of. */
function hideInChildren(log: Log): Log {
  const makeChild = log.child;
  return Object.defineProperty(log, 'child', {
    value: function child(this: Log, bindings: pino.Bindings, childOptions?: pino.ChildLoggerOptions): Log {
      return Reflect.apply(makeChild, this, [hideInObject(bindings, 0), childOptions]);
    },
  });
}

/** A logger that writes nothing, for places that need one and have nothing to say. */
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

// Not every field of an error: PostgreSQL puts the offending row's values into `detail`.
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return hide(error, 0);
  const code = 'code' in error ? error.code : undefined;
  const cause = error.cause === undefined ? undefined : errorFields(error.cause);
  return { type: error.name, message: error.message, code, stack: error.stack, cause };
}
