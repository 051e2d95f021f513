// `npm run faults [-- rounds]`: repeats the tests that kill consoles and databases, send usage in random
// order and replay random histories, which `npm test` runs only a few times. The last ones, with short
// histories, are repeated only about twice as often.
import { spawnSync } from 'node:child_process';

const rounds = process.argv[2] ?? '100';
if (!/^[1-9]\d{0,4}$/.test(rounds)) {
  process.stderr.write('npm run faults -- ROUNDS: how often each test kills, such as 300\n');
  process.exit(2);
}
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project=server',
    'tests/faults/',
    'tests/attacks/any-input',
    'tests/attacks/headers',
    'verify/arrival-order',
    'verify/histories',
    'verify/payer-histories',
    'verify/term-histories',
    'verify/terms',
    'tests/operations/backups.test',
    'tests/operations/sandboxes',
    'tests/invoicing/card-histories',
    'tests/invoicing/late-usage',
    'tests/metering/add-ons',
    'tests/metering/connectors.test',
    'tests/metering/cost-imports',
    'tests/metering/kept-figures',
    'tests/metering/metering.test',
    'tests/metering/several-meters',
    'tests/metering/days-of-months',
    'tests/metering/usage-by-charge',
    'tests/metering/usage-from-events',
    'tests/reporting/forecast',
    'tests/reporting/lives-of-money',
    'tests/reporting/metrics',
  ],
  { stdio: 'inherit', env: { ...process.env, FAULT_ROUNDS: rounds } },
);
process.exit(status ?? 1);
