// Whether an event's data is as its service's meter asks for.
import { compileSchema } from '#features/catalogue/server/index.ts';
import type { Meter } from '#features/catalogue/contract.ts';
import type { EventRefusal, MeteredEvent } from '../rules.ts';

/** Why an event's data does not match its meter's schema; undefined when it does, or nobody asks. Imports have no data as it was sent. */
export function dataRefusal(event: MeteredEvent, { dataSchema }: Meter): EventRefusal | undefined {
  if (!dataSchema || !('data' in event)) return undefined;
  const schema = compileSchema(dataSchema);
  // A schema that was right when it was kept and is not now (another version of the console) says nothing about events.
  const fault = 'check' in schema ? schema.check(event.data) : undefined;
  return fault && { code: 'usage.data_schema', id: event.id, params: fault };
}
