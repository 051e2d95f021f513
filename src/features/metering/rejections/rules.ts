// Rejected events: which part of an event is stored.
import type { TextParams } from '#kernel/text.ts';

/** The maximum length of an event that is stored completely, in characters of JSON. */
export const longestRaw = 16 * 1024;
/**
 * The maximum number of open events per organization's keys (or per platform key); further ones are only
 * counted.
 */
export const maxOpen = 10_000;
const longestText = 300;

/** The stored form of an event. Attributes are null if they are not texts. */
export type StoredEvent = {
  /** The digest of the whole event, even if only its beginning is stored. */
  readonly content: string;
  readonly raw: string;
  readonly isComplete: boolean;
  readonly source: string | null;
  readonly eventId: string | null;
  readonly type: string | null;
  readonly subject: string | null;
};

/** Returns the stored form of an event. JSON escapes every character that the database cannot store. */
export function storedFormOf(raw: unknown): StoredEvent {
  const json = written(raw);
  const event =
    typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? (raw as Record<string, unknown>) : {};
  const attribute = (name: string): string | null =>
    typeof event[name] === 'string' ? storable(event[name].slice(0, longestText)) : null;
  return {
    content: json,
    raw: json.length <= longestRaw ? json : json.slice(0, longestRaw).toWellFormed(),
    isComplete: json !== '' && json.length <= longestRaw,
    source: attribute('source'),
    eventId: attribute('id'),
    type: attribute('type'),
    subject: attribute('subject'),
  };
}

/** Serializes an event as JSON; empty if it was unreadable or is nested too deeply for JSON.stringify. */
function written(raw: unknown): string {
  if (raw === undefined) return '';
  try {
    return JSON.stringify(raw);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

/** Removes from a reason's parameters what the database cannot store. */
export function storableParams(params: TextParams): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, storable(String(value))]));
}

const storable = (text: string): string => text.replaceAll('\u0000', '\ufffd').toWellFormed();
