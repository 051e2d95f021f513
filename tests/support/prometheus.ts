// A real Prometheus (Debian's package) with samples of the past, written by its own tool.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { atFileEnd } from './clean-up.ts';

const [program, tool] = ['/usr/bin/prometheus', '/usr/bin/promtool'];
/** Whether this machine has it; tests without it say so and are skipped. */
export const hasPrometheus = existsSync(program) && existsSync(tool);

/** `samples`: OpenMetrics with times in seconds; '' for none. `target`: a host and port that it scrapes each second. Answers its address; it ends with the test file. */
export async function startPrometheus(samples: string, target?: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-prometheus-'));
  const [metrics, config, data] = ['samples.txt', 'prometheus.yml', 'data'].map((name) => join(folder, name));
  const jobs = target === undefined ? [] : [{ job_name: 'libvirt', static_configs: [{ targets: [target] }] }];
  // JSON is YAML.
  writeFileSync(
    config ?? '',
    JSON.stringify({ global: { scrape_interval: '1s', scrape_timeout: '1s' }, scrape_configs: jobs }),
  );
  if (samples !== '') {
    writeFileSync(metrics ?? '', `${samples}# EOF\n`);
    // Long blocks: a month would be hundreds of two hours each.
    execFileSync(
      tool ?? '',
      ['tsdb', 'create-blocks-from', 'openmetrics', '--max-block-duration=720h', metrics ?? '', data ?? ''],
      { stdio: 'ignore' },
    );
  }
  const port = await freePort();
  const child = spawn(
    program ?? '',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${data}`,
      '--storage.tsdb.retention.time=100y',
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  atFileEnd(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries++) {
    const isReady = await fetch(`${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return address;
    await pause(100);
  }
  throw new Error('Prometheus did not start');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
