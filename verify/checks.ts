// All checks, in the order of the report.
import { accountChecks } from './accounts.ts';
import { auditCheck } from './audit.ts';
import { billedCheck } from './billed-usage.ts';
import { billChecks } from './bills.ts';
import type { Check } from './books.ts';
import { costChecks } from './costs.ts';
import { consolidatedChecks } from './consolidated.ts';
import { contentCheck } from './content.ts';
import { creditChecks } from './credits.ts';
import { einvoiceChecks } from './einvoices.ts';
import { deferralChecks } from './deferral.ts';
import { eventChecks } from './events.ts';
import { journalChecks } from './journals.ts';
import { messageCheck } from './messages.ts';
import { metricChecks } from './metrics.ts';
import { numberChecks } from './numbers.ts';
import { retailChecks } from './retail.ts';
import { paymentChecks } from './payments.ts';
import { planChecks } from './plans.ts';
import { rollupChecks } from './rollups.ts';
import { commitmentChecks } from './commitments.ts';
import { termChecks } from './terms.ts';

export const checks: readonly Check[] = [
  ...accountChecks,
  ...billChecks,
  contentCheck,
  ...creditChecks,
  ...termChecks,
  ...commitmentChecks,
  ...deferralChecks,
  ...metricChecks,
  ...journalChecks,
  ...numberChecks,
  ...retailChecks,
  ...einvoiceChecks,
  ...paymentChecks,
  ...planChecks,
  ...consolidatedChecks,
  ...eventChecks,
  ...costChecks,
  ...rollupChecks,
  billedCheck,
  messageCheck,
  auditCheck,
];
