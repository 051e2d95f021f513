// A real Prometheus and a real VictoriaMetrics (Debian's packages) with historical samples.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atFileEnd } from './clean-up.ts';
import { freePort, whenReady } from './ports.ts';

const [program, tool] = ['/usr/bin/prometheus', '/usr/bin/promtool'];
/** Whether Prometheus is installed; tests that need it otherwise report it and are skipped. */
export const hasPrometheus = existsSync(program) && existsSync(tool);
const victoriaMetrics = '/usr/bin/victoria-metrics';
export const hasVictoriaMetrics = existsSync(victoriaMetrics);

/**
 * Starts Prometheus until the end of the test file and returns its address. `samples`: OpenMetrics with times
 * in seconds; '' for none. `target`: a host and port that it scrapes every second.
 */
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
    // Long blocks, because a month would otherwise be hundreds of two-hour blocks.
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
  return whenReady(`http://127.0.0.1:${port}`, '/-/ready');
}

/**
 * Starts VictoriaMetrics until the end of the test file and returns its address; `samples` as in {@link
 * startPrometheus}.
 */
export async function startVictoriaMetrics(samples: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-victoria-metrics-'));
  const port = await freePort();
  const child = spawn(
    victoriaMetrics,
    [`-storageDataPath=${folder}`, '-retentionPeriod=100y', `-httpListenAddr=127.0.0.1:${port}`],
    { stdio: 'ignore' },
  );
  atFileEnd(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const address = await whenReady(`http://127.0.0.1:${port}`, '/health');
  // The Prometheus format has times in milliseconds, OpenMetrics in seconds.
  const text = samples.replaceAll(
    /^([^#].* )(\S+)$/gm,
    (_line, sample: string, at: string) => `${sample}${Number(at) * 1000}`,
  );
  const imported = await fetch(`${address}/api/v1/import/prometheus`, { method: 'POST', body: text });
  if (!imported.ok) throw new Error(`VictoriaMetrics took no samples: ${imported.status}`);
  // Makes imported samples visible at once.
  await fetch(`${address}/internal/force_flush`);
  return address;
}
