// Delivers entries to a webhook: signed like organizations' webhooks (Standard Webhooks), acknowledged by a
// status of 200 to 299.
import {
  PinnedRequestFailed,
  reportedFailures,
  requestPinned,
} from '#platform/server/outbound/outbound-pinned.ts';
import { signedHeaders } from '#features/messaging/webhooks/server/index.ts';
import type { Target } from '../contract.ts';
import { lineOf, summaryOf } from '../rules.ts';
import { ExportFailure, longestMs, testText, type Deliver, type Sending } from './deliver.ts';

type Webhook = Extract<Target, { kind: 'webhook' }>;
const mostAnswerBytes = 64 * 1024;

const failureCodes = { ...reportedFailures, too_large: 'refused' } as const;
/** The failure for a checked connection that could not be established. */
export const pinnedFailure = (error: PinnedRequestFailed): ExportFailure =>
  new ExportFailure(failureCodes[error.failure], error.detail, error);

async function post({ app, exportId, target, secret, signal }: Sending<Webhook>, id: string, body: string) {
  try {
    const { status } = await requestPinned(target.url, {
      method: 'POST',
      headers: signedHeaders(app, exportId, {
        id,
        at: app.clock.now(),
        body,
        secrets: secret === null ? [] : [secret],
      }),
      body,
      privateHosts: app.config.privateHosts,
      maxBytes: mostAnswerBytes,
      longestMs,
      signal,
    });
    if (status === 401 || status === 403) throw new ExportFailure('credentials', String(status));
    if (status < 200 || status > 299) throw new ExportFailure('refused', String(status));
  } catch (error) {
    throw error instanceof PinnedRequestFailed ? pinnedFailure(error) : error;
  }
}

export const toWebhook: Deliver<Webhook> = {
  send: (sending, batch) => {
    const { first, last, ...rest } = summaryOf(batch);
    const head = JSON.stringify({ type: 'audit.entries', first, last, ...rest });
    // Each entry has the same text as in files and syslog.
    const body = `${head.slice(0, -1)},"entries":[${batch.entries.map(lineOf).join(',')}]}`;
    return post(sending, `${sending.exportId}.${first}-${last}`, body);
  },
  test: (sending) =>
    post(sending, `${sending.exportId}.test-${sending.app.clock.now().getTime()}`, JSON.stringify(testText)),
};
