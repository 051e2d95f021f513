// Delivers entries to a syslog server: RFC 5424 messages with octet counting (RFC 6587) over TCP, preferably
// TLS. Syslog has no acknowledgment: the console closes its side after the last message, and treats the
// receiver's close, which follows once it has read everything, as one.
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { required } from '#kernel/assert.ts';
import { pinnedAddresses, PinnedRequestFailed } from '#platform/server/outbound/outbound-pinned.ts';
import { codeOf, isCertificateCode } from '#platform/server/system-error.ts';
import type { Target } from '../contract.ts';
import { syslogFrame, syslogOf, webAddressOf } from '../rules.ts';
import { consoleHost, ExportFailure, longestMs, testText, type Deliver, type Sending } from './deliver.ts';
import { pinnedFailure } from './deliver-webhook.ts';

type Syslog = Extract<Target, { kind: 'syslog' }>;

function failureOf(error: unknown): ExportFailure {
  const label = codeOf(error) ?? String(error);
  return new ExportFailure(isCertificateCode(label) ? 'certificate' : 'unreachable', label, error);
}

async function addressOf({ app, target }: Sending<Syslog>, signal: AbortSignal): Promise<string> {
  try {
    const found = await pinnedAddresses(webAddressOf(target), app.config.privateHosts, signal);
    return required(found[0], 'an address of the host');
  } catch (error) {
    throw error instanceof PinnedRequestFailed ? pinnedFailure(error) : error;
  }
}

async function write(sending: Sending<Syslog>, frames: string): Promise<void> {
  const signal = AbortSignal.any([sending.signal, AbortSignal.timeout(longestMs)]);
  const { host, port, isTls, authority } = sending.target;
  const address = await addressOf(sending, signal);
  const socket: Socket = isTls
    ? connectTls({
        host: address,
        port,
        ...(authority !== '' && { ca: authority }),
        // SNI carries host names only, not IP addresses (RFC 6066).
        ...(isIP(host) === 0 ? { servername: host } : { host }),
      })
    : connectPlain({ host: address, port });
  try {
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => reject(new ExportFailure('timeout', host));
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      let isEnded = false;
      socket.once('error', (error) => reject(failureOf(error)));
      socket.once('end', () => {
        isEnded = true;
      });
      socket.once(isTls ? 'secureConnect' : 'connect', () => socket.end(frames));
      socket.once('close', () => {
        // If the connection was closed before the receiver ended its side, it may not have read everything.
        if (isEnded && socket.writableFinished) resolve();
        else reject(new ExportFailure('unreachable', 'closed'));
      });
      // The receiver's output is ignored, but must be consumed, or its end would never arrive.
      socket.resume();
    });
  } finally {
    socket.destroy();
  }
}

export const toSyslog: Deliver<Syslog> = {
  send: (sending, { entries, hashBefore }) => {
    const host = consoleHost(sending.app);
    let before = hashBefore;
    const frames = entries.map((entry) => {
      const frame = syslogOf(entry, before, host);
      before = entry.hash;
      return frame;
    });
    return write(sending, frames.join(''));
  },
  test: (sending) =>
    write(
      sending,
      syslogFrame({
        at: sending.app.clock.now().toISOString().slice(0, -1),
        host: consoleHost(sending.app),
        messageId: testText.type,
        data: { test: 'true' },
        text: testText.text,
      }),
    ),
};
