// Rejected events: how much of one is kept.
import type { TextParams } from '#kernel/text.ts';

/** The longest event that is kept whole, as JSON. */
export const longestRaw = 16 * 1024;
/** Open ones that one organization's keys (or one key of the platform) may have; what comes then is only counted. */
export const mostOpen = 10_000;
const longestText = 300;

/** An event as it is kept. Attributes are null where they are no text. */
export type Kept = {
  /** Names the event's content, even where not all of it is kept. */ readonly content: string;
  readonly raw: string;
  readonly isComplete: boolean;
  readonly source: string | null;
  readonly eventId: string | null;
  readonly type: string | null;
  readonly subject: string | null;
};

/** What is kept of an event as it came. JSON writes out all that the database could not keep. */
export function keptOf(raw: unknown): Kept {
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

/** An event as JSON; empty when there was none to read, or one that is too deep to be written out. */
function written(raw: unknown): string {
  if (raw === undefined) return '';
  try {
    return JSON.stringify(raw);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

/** A reason's parameters, without what the database could not keep. */
export function keptParams(params: TextParams): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, storable(String(value))]));
}

const storable = (text: string): string => text.replaceAll('\u0000', '\ufffd').toWellFormed();
