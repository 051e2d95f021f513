// Previews the next messages of a stream without acknowledging them, with the events they would become.
import type { In } from '#kernel/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { isRejection } from '#features/metering/usage/rules.ts';
import type { eventStreams, Preview } from '../contract.ts';
import { settingsOf } from './credentials.ts';
import { evaluatorOf } from './evaluate.ts';
import { peek } from './open-reader.ts';
import { StreamFailure } from './reader.ts';
import { makeEvents, readEventOf, textOf, type MadeMessage } from './record-messages.ts';
import { reasonText } from './rejected.ts';
import { positionsOf } from './store.ts';
import { assertExpression, knownStream } from './streams.ts';

const shown = 10;
const shownEvents = 20;
const shownCharacters = 4000;
const longestMs = 30_000;

/** Runs outside a transaction and records nothing. */
export async function previewEventStream(
  ctx: Ctx,
  { streamId, format, expression }: In<typeof eventStreams.previewEventStream>,
): Promise<Preview> {
  const known = await knownStream(ctx, streamId);
  const row = { ...known, format: format ?? known.format, expression: expression ?? known.expression };
  assertExpression(row.format, row.expression);
  const positions = await positionsOf(ctx, streamId);
  const evaluator = evaluatorOf(row.expression);
  try {
    const found = await peek(settingsOf(ctx.app, row, positions, AbortSignal.timeout(longestMs)), shown);
    const made = await makeEvents(
      row,
      evaluator,
      found.map((message) => textOf(message, ctx.now)),
      async () => undefined,
    );
    return { failure: null, messages: made.map((each) => shownMessage(ctx, each)) };
  } catch (error) {
    if (!(error instanceof StreamFailure)) throw error;
    return { failure: { code: error.code, detail: error.detail }, messages: [] };
  } finally {
    await evaluator.close();
  }
}

function shownMessage(ctx: Ctx, made: MadeMessage): Preview['messages'][number] {
  const { position, topic, text } = made.message;
  const about = { position, topic, payload: text.slice(0, shownCharacters) };
  if ('rejection' in made)
    return { ...about, events: [], problem: reasonText(ctx, made.rejection.code, made.rejection.params) };
  const wrong = made.events.map((event) => readEventOf(event, made.message, ctx.now)).find(isRejection);
  return {
    ...about,
    events: made.events.slice(0, shownEvents).map((event) => JSON.stringify(event)),
    problem: wrong ? reasonText(ctx, wrong.code, wrong.params ?? {}) : null,
  };
}
