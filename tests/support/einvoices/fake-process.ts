// A simulated e-invoice service as a process of its own: prints its address in one line and lives until it is killed.
import { FakeEcpayInvoices } from './ecpay.ts';
import { FakeEzpayInvoices } from './ezpay.ts';

const fake = process.argv[2] === 'ezpay' ? new FakeEzpayInvoices() : new FakeEcpayInvoices();
await fake.start();
process.stdout.write(`${fake.address}\n`);
