// Why archived events cannot be read.

/** Archived events are gone or were changed. */
export class ArchiveDamaged extends Error {
  override readonly name = 'ArchiveDamaged';
  /** The file, or the part of the table, that they were in. */
  readonly part: string;

  constructor(part: string, reason: string) {
    super(`${part}: ${reason}`);
    this.part = part;
  }
}

/** The store of events does not answer, or refuses. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
  /** It answered, and refused: its settings or ours are wrong. */
  readonly isRefused: boolean;

  constructor(reason: string, isRefused: boolean, cause?: Error) {
    super(reason, { cause });
    this.isRefused = isRefused;
  }
}
