// Errors thrown when archived events cannot be read.

/** Archived events are missing or were modified. */
export class ArchiveDamaged extends Error {
  override readonly name = 'ArchiveDamaged';
  /** The file, or the part of the table, that contained them. */
  readonly part: string;

  constructor(part: string, reason: string) {
    super(`${part}: ${reason}`);
    this.part = part;
  }
}

/** The event store does not respond or rejects requests. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
  /** It responded with a rejection: its configuration or ours is wrong. */
  readonly isRefused: boolean;

  constructor(reason: string, isRefused: boolean, cause?: Error) {
    super(reason, { cause });
    this.isRefused = isRefused;
  }
}
