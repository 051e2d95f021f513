// Live updates: a message only tells which kind of data changed, and the queries of that kind are refetched.
// Without a connection, queries poll.
import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { SessionUser } from '../session/auth-store.ts';
import { mayBeMissed, type LiveMessage, type LiveState } from './live-message.ts';
import { pauseAfterMs } from './live-pause.ts';
import type { FromLiveWorker, ToLiveWorker } from './live-worker.ts';
import { createThrottle } from './throttle.ts';
import { nowMs } from '../time/clock.ts';
import { markChanged, queryCache, refetchChanged } from '../api/queries.ts';

/** The last part of a topic. */
export type LiveKind =
  | 'usage'
  | 'bills'
  | 'commitments'
  | 'notifications'
  | 'metrics'
  | 'imports'
  | 'billing'
  | 'sessions'
  | 'connectors'
  | 'costs'
  | 'event-streams'
  | 'approvals';

/**
 * At most two refetches a second, however many messages arrive; six a minute for data that is expensive to
 * compute and changes slowly.
 */
const paceMs = { quick: 500, slow: 10_000 } as const;
/** The polling interval without a connection. */
const pollMs = 10_000;

export const useLiveState = create<{ readonly state: LiveState }>()(() => ({ state: 'off' }));

type Interest = { readonly kind: LiveKind; readonly handler: (message: LiveMessage | undefined) => void };
const interests = new Set<Interest>();

/**
 * The query keys to refetch on messages of a kind, as JSON: they are marked as stale even while no screen
 * shows them.
 */
const concerned = new Map<LiveKind, Set<string>>();

/**
 * Calls `handler` for every message of a kind, and with undefined when messages may have been missed. Returns
 * the function that unsubscribes.
 */
export function onLive(kind: LiveKind, handler: (message: LiveMessage | undefined) => void): () => void {
  const interest: Interest = { kind, handler };
  interests.add(interest);
  return () => void interests.delete(interest);
}

/**
 * Refetches queries on messages: `useLive('usage', [keyOf('quotas')])`. The keys must be the same objects
 * between renders, or plain data.
 */
export function useLive(
  kind: LiveKind,
  keys: readonly QueryKey[],
  pace: keyof typeof paceMs = 'quick',
): void {
  const plain = JSON.stringify(keys);
  useEffect(() => {
    const wanted = JSON.parse(plain) as QueryKey[];
    const throttle = createThrottle(() => {
      for (const queryKey of wanted) void refetchChanged(queryCache, queryKey);
    }, paceMs[pace]);
    concerned.set(kind, (concerned.get(kind) ?? new Set()).add(plain));
    const stop = onLive(kind, throttle.request);
    return () => {
      stop();
      throttle.stop();
    };
  }, [kind, plain, pace]);
}

function deliver(kind: LiveKind | undefined, message?: LiveMessage): void {
  for (const [each, lists] of concerned)
    if (kind === undefined || each === kind)
      for (const plain of lists)
        for (const queryKey of JSON.parse(plain) as QueryKey[]) markChanged(queryCache, queryKey);
  for (const interest of interests)
    if (kind === undefined || interest.kind === kind) interest.handler(message);
}

/** The topics to which a user subscribes. The server decides, and refuses any other. */
export function topicsOf(user: Pick<SessionUser, 'id' | 'role' | 'organizationId'>): readonly string[] {
  const organization =
    user.organizationId === null
      ? []
      : ['usage', 'bills', 'commitments', 'notifications'].map(
          (kind) => `org/${user.organizationId}/${kind}`,
        );
  const admin =
    user.role.trim() === 'Admin'
      ? [
          'system/metrics',
          'system/imports',
          'system/billing',
          'system/connectors',
          'system/costs',
          'system/event-streams',
          'system/approvals',
        ]
      : [];
  return [`user/${user.id}/notifications`, `user/${user.id}/sessions`, ...organization, ...admin];
}

/** The kind of a topic: `org/org_…/usage` is 'usage'. */
export const kindOf = (topic: string): LiveKind => topic.slice(topic.lastIndexOf('/') + 1) as LiveKind;

/** The subscriber: a signed-in user or a portal link, by id, and the topics. */
export type LiveUser = { readonly id: string; readonly topics: readonly string[] };

/**
 * Keeps the live connection open while there is a subscriber. Used once, in the shell or in the portal.
 * Connects when it `isDue`; messages missed until then are handled like those of a slow connection.
 */
export function useLiveConnection(
  who: LiveUser | null,
  askTicket: () => Promise<string>,
  isDue = true,
): void {
  const id = who?.id;
  // The array is new on each render.
  const topics = who?.topics.join(' ');
  const neededAtMs = useRef(0);
  useEffect(() => {
    neededAtMs.current = nowMs();
  }, [id, topics]);
  useEffect(() => {
    if (id === undefined || topics === undefined || !isDue) return undefined;
    return startLive({ id, topics: topics.split(' ') }, askTicket, neededAtMs.current);
  }, [id, topics, askTicket, isDue]);
}

function startLive(user: LiveUser, askTicket: () => Promise<string>, startedAtMs: number): () => void {
  useLiveState.setState({ state: 'waiting' });
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end: () => void;
  // A worker whose file fails to load is restarted after a pause; a running worker manages its own pauses.
  const begin = (): void => {
    end = startWorker(user, askTicket, startedAtMs, () => {
      timer = setTimeout(begin, pauseAfterMs(failures++));
    });
  };
  begin();
  const poll = setInterval(() => {
    if (useLiveState.getState().state !== 'live' && document.visibilityState === 'visible')
      deliver(undefined);
  }, pollMs);
  return () => {
    clearInterval(poll);
    clearTimeout(timer);
    end();
    useLiveState.setState({ state: 'off' });
  };
}

/**
 * Starts the worker, and returns the function that ends it. `onNeverCame` is called when its file could not
 * be loaded.
 */
function startWorker(
  user: LiveUser,
  askTicket: () => Promise<string>,
  startedAtMs: number,
  onNeverCame: () => void,
): () => void {
  const worker = new Worker(new URL('./live-worker.ts', import.meta.url), { type: 'module', name: 'live' });
  const post = (message: ToLiveWorker): void => worker.postMessage(message);
  let hasCome = false;
  worker.onerror = () => {
    if (hasCome) return;
    worker.terminate();
    onNeverCame();
  };
  worker.onmessage = ({ data }: MessageEvent<FromLiveWorker>) => {
    hasCome = true;
    if (data.kind === 'state') useLiveState.setState({ state: data.state });
    else if (data.kind === 'missed') deliver(undefined);
    else if (data.kind === 'ticket')
      askTicket().then(
        (ticket) => post({ kind: 'ticket', ticket }),
        // The worker will ask again after a pause.
        () => post({ kind: 'ticket', ticket: null }),
      );
    // The console process lost its own connection to the message source, so any topic may have missed
    // messages.
    else if (data.message.kind !== 'missed') deliver(kindOf(data.topic), data.message);
    else if (mayBeMissed(data.message, performance.now())) deliver(kindOf(data.topic));
  };
  post({
    kind: 'start',
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/mqtt`,
    userId: user.id,
    topics: user.topics,
    startedAtMs,
  });
  return () => worker.terminate();
}
