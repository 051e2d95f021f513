// Calls that are held until another Admin approves them, and then run once on behalf of the original caller.
import * as z from 'zod/mini';
import { file, pathNames, redirect, type Route } from '#kernel/contract.ts';
import type { Language } from '#kernel/language.ts';
import { chosenLanguage } from '#kernel/shape.ts';
import type { Actor, App, Ctx } from '../unit-of-work/ctx.ts';
import { replyWithoutBrowser, type Feature, type Reply } from '../unit-of-work/feature.ts';
import { unitOfWork } from '../unit-of-work/unit-of-work.ts';
import { assertUnchanged, conditionsOf, type Condition, type Conditions } from './conditional.ts';
import { recordingWrite } from '../unit-of-work/fit-replica.ts';
import { claimKey, requestHash, storeAnswer } from './idempotency.ts';

/** What is needed to run a call later, as JSON: its original input, and whatever else the response depends on. */
export const HeldCall = z.strictObject({
  /** feature.verb */
  name: z.string(),
  fields: z.record(z.string(), z.unknown()),
  /** The entity tags of `If-Match`; null without it. */
  tags: z.nullable(z.array(z.string())),
  raw: z.nullable(z.strictObject({ base64: z.string(), mediaType: z.string() })),
  address: z.string(),
  host: z.string(),
  userAgent: z.string(),
  language: chosenLanguage,
});
export type HeldCall = z.output<typeof HeldCall>;

export type Holds = {
  /** Whether a call must be held; asked at each call after its permission and input were checked. */
  readonly isHeld: (app: App, name: string, actor: Actor, input: unknown) => Promise<boolean>;
  /** Stores a call; returns the data of the response. */
  readonly store: (ctx: Ctx, call: HeldCall) => Promise<unknown>;
};

/** A call that was admitted and whose input is valid. */
type AdmittedCall = {
  readonly name: string;
  readonly request: {
    readonly id: string;
    readonly actor: Actor;
    readonly language: Language;
  };
  /** The original input. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly input: unknown;
  readonly condition: Condition | undefined;
  readonly reply: Reply;
  /** The idempotency key. */
  readonly key: string | undefined;
};

const heldCallOf = ({ name, fields, condition, reply, request }: AdmittedCall): HeldCall => ({
  name,
  fields: { ...fields },
  tags: condition ? [...condition.tags] : null,
  raw: reply.raw ? { base64: reply.raw.bytes.toString('base64'), mediaType: reply.raw.mediaType } : null,
  address: reply.address,
  host: reply.host,
  userAgent: reply.userAgent,
  language: request.language,
});

/**
 * Holds a call that must wait, once per idempotency key, and returns the data of the response (202);
 * undefined for a call that runs at once.
 * @throws DomainError when a condition of the call is not met even now
 */
export async function hold(
  app: App,
  { method }: Route,
  holds: Holds | undefined,
  call: AdmittedCall,
): Promise<{ data: unknown } | undefined> {
  const { name, request, input, condition, reply, key } = call;
  const { actor, language, id: requestId } = request;
  if (!holds || method === 'GET' || !(await holds.isHeld(app, name, actor, input))) return undefined;
  const holding = unitOfWork(app, { actor, language, requestId }, async (ctx) => {
    const earlier = key === undefined ? undefined : await claimKey(ctx, key, name, requestHash(name, input));
    if (earlier) return { data: earlier.data };
    if (condition) await assertUnchanged(ctx, condition, reply);
    const data = await holds.store(ctx, heldCallOf(call));
    if (key !== undefined) await storeAnswer(ctx, key, 202, data);
    return { data };
  });
  return recordingWrite(app, actor, holding);
}

/** The part of a response that may be stored. */
export function withoutSecrets(data: unknown, returnedOnce: readonly string[] = []): unknown {
  return returnedOnce.length === 0 || typeof data !== 'object'
    ? data
    : { ...data, ...Object.fromEntries(returnedOnce.map((field) => [field, null])) };
}

/** A call that can be held. */
export type HoldableCall = {
  readonly name: string;
  readonly route: Route;
  readonly verb: Feature['verbs'][string];
  /** The verb opens its own units of work, so its effect and its completion are not committed together. */
  readonly ownUnitOfWork: boolean;
  readonly shownBy: ReturnType<Conditions['shownBy']>;
};

/**
 * Finds calls by feature.verb. @throws Error for calls that cannot be held: reads, responses that are not
 * data, and calls without a caller
 */
export function holdableCalls(features: readonly Feature[]): (name: string) => HoldableCall {
  const conditions = conditionsOf(features);
  return (name) => {
    const [of = '', verbName = ''] = name.split('.');
    const feature = features.find((each) => each.name === of);
    const route = feature?.contract[verbName];
    const verb = feature?.verbs[verbName];
    if (!feature || !route || !verb) throw new Error(`there is no call ${name}`);
    if (
      route.method === 'GET' ||
      typeof route.access === 'string' ||
      route.output === file ||
      route.output === redirect
    )
      throw new Error(`${name} cannot wait for approval`);
    const ownUnitOfWork = feature.ownUnitOfWork.includes(verbName);
    return { name, route, verb, ownUnitOfWork, shownBy: conditions.shownBy(route) };
  };
}

/** Hooks around the run of a held call. */
export type Around = {
  /**
   * Before the run, in its unit: claims the call. @returns false when it has run already; throws when
   * something forbids it now
   */
  readonly claim: (ctx: Ctx) => Promise<boolean>;
  /** After the run, in its unit: stores the response data as JSON. */
  readonly done: (ctx: Ctx, data: unknown) => Promise<void>;
};

/**
 * Runs a held call as `actor`. That it ran is committed together with its effect; calls with their own units
 * of work get `onceKey` as their idempotency key instead.
 */
export async function runHeldCall(
  app: App,
  { name, route, verb, ownUnitOfWork, shownBy }: HoldableCall,
  call: HeldCall,
  run: { readonly actor: Extract<Actor, { kind: 'user' }>; readonly onceKey: string } & Around,
): Promise<void> {
  const input = z.parse(route.input, call.fields);
  const { address, host, userAgent } = call;
  const reply = replyWithoutBrowser({
    address,
    host,
    userAgent,
    raw: call.raw
      ? { bytes: Buffer.from(call.raw.base64, 'base64'), mediaType: call.raw.mediaType, headers: {} }
      : undefined,
    once: ownUnitOfWork ? { key: run.onceKey, route: name, hash: run.onceKey } : undefined,
  });
  const options = { actor: run.actor, language: call.language };
  const act = async (ctx: Ctx): Promise<unknown> => {
    if (call.tags && shownBy)
      await assertUnchanged(
        ctx,
        {
          read: shownBy,
          tags: call.tags,
          places: pathNames(route.path).map((place) => call.fields[place]),
        },
        reply,
      );
    return z.encode(route.output, (await verb(ctx, input as never, reply)) as never) ?? null;
  };
  if (ownUnitOfWork) {
    if (!(await unitOfWork(app, options, run.claim))) return;
    const data = await unitOfWork(app, { ...options, mode: 'read' }, act);
    await unitOfWork(app, options, (ctx) => run.done(ctx, data));
    return;
  }
  await unitOfWork(app, options, async (ctx) => {
    if (!(await run.claim(ctx))) return;
    const data = await act(ctx);
    const [place] = pathNames(route.path);
    ctx.audit(name, place === undefined ? undefined : String(call.fields[place]));
    await run.done(ctx, data);
  });
}
