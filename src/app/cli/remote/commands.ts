// The commands of the remote command line and their output.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Route } from '#kernel/contract.ts';
import { isId } from '#kernel/ids.ts';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { readJson } from '#kernel/parse-json.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../caller.ts';
import { CommandRefused } from '../command-refused.ts';
import type { Send } from './http-call.ts';
import type { RemoteTerminal, Say } from './session.ts';
import { tableLines } from './table.ts';

/**
 * What a command works with: `call` makes a call of a contract, `send` any other, and `say` translates.
 * `isAdmin` decides which of two lists is the caller's.
 */
export type CommandContext = {
  readonly call: Call;
  readonly send: Send;
  readonly say: Say;
  readonly terminal: RemoteTerminal;
  readonly isAdmin: () => Promise<boolean>;
};
export type ListOptions = { readonly limit: string };

/** The data of a response as the API sends it, which is what `--json` prints. */
const encodeOutput = <R extends Route>(route: R, data: z.output<R['output']>): unknown =>
  z.encode(route.output, data);
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** One page of a list as a table, with a line that says how much of the list it is. */
function pageAnswer(
  data: unknown,
  { shown, total }: { shown: number; total: number },
  lines: readonly string[],
  say: Say,
): Answer {
  if (shown === 0) return { data, lines: [say('cli.none')] };
  return { data, lines: [...lines, ...(shown < total ? [say('cli.shown', { shown, count: total })] : [])] };
}

/** Lists bills, newest first. */
export async function listBills(
  { call, say, isAdmin }: CommandContext,
  { limit, month }: ListOptions & { readonly month?: BillingMonth },
): Promise<Answer> {
  const route = (await isAdmin()) ? billing.adminListBills : billing.listBills;
  const page = await call(route, { limit, ...(month !== undefined && { month }) });
  return pageAnswer(
    encodeOutput(route, page),
    { shown: page.items.length, total: page.total },
    tableLines(
      [
        say('cli.column_number'),
        say('cli.column_organization'),
        say('cli.column_month'),
        say('cli.column_state'),
        say('cli.column_due'),
        say('cli.column_total'),
        say('cli.column_currency'),
      ],
      page.items.map((bill) => [
        bill.number,
        bill.organization,
        bill.month,
        // used as: 'cli.bill_state_*'
        say(`cli.bill_state_${bill.state}`),
        dayOf(bill.dueAt),
        moneyText(bill.total),
        bill.total.currency,
      ]),
      [5],
    ),
    say,
  );
}

/** Shows one bill with its lines, by number or id. */
export async function getBill({ call, say, isAdmin }: CommandContext, named: string): Promise<Answer> {
  const admin = await isAdmin();
  const found = isId('bil', named)
    ? named
    : (await call(admin ? billing.adminListBills : billing.listBills, { q: named, limit: '1' })).items.find(
        ({ number }) => number === named,
      )?.id;
  if (found === undefined) throw new CommandRefused(say('cli.bill_unknown', { bill: named }));
  const route = admin ? billing.adminGetBill : billing.getBill;
  const bill = await call(route, { billId: found });
  return {
    data: encodeOutput(route, bill),
    lines: [
      `${bill.number}  ${bill.organization}  ${bill.month}  ${say(`cli.bill_state_${bill.state}`)}`,
      ...tableLines(
        [
          say('cli.column_service'),
          say('cli.column_line'),
          say('cli.column_quantity'),
          say('cli.column_amount'),
        ],
        bill.lines.map((line) => [
          line.serviceName,
          line.kind,
          `${line.quantity} ${line.unit}`.trim(),
          moneyText(line.total),
        ]),
        [2, 3],
      ),
      `${say('cli.column_total')}  ${moneyText(bill.total)} ${bill.total.currency}`,
    ],
  };
}

/** Lists organizations: all of them, or the caller's own. */
export async function listOrganizations(
  { call, say, isAdmin }: CommandContext,
  { limit, search }: ListOptions & { readonly search?: string },
): Promise<Answer> {
  const headings = [say('cli.column_id'), say('cli.column_name'), say('cli.column_tax_id')];
  if (!(await isAdmin())) {
    const own = await call(identity.organization, {});
    return {
      data: { items: [encodeOutput(identity.organization, own)], total: 1 },
      lines: tableLines(headings, [[own.id, own.name, own.taxId]]),
    };
  }
  const page = await call(identity.listOrganizations, { limit, ...(search !== undefined && { q: search }) });
  return pageAnswer(
    encodeOutput(identity.listOrganizations, page),
    { shown: page.items.length, total: page.total },
    tableLines(
      headings,
      page.items.map(({ id, name, taxId }) => [id, name, taxId]),
    ),
    say,
  );
}

/** Lists subscriptions: of everybody, or of the caller's organization. */
export async function listSubscriptions(
  { call, say, isAdmin }: CommandContext,
  { limit }: ListOptions,
): Promise<Answer> {
  const route = (await isAdmin()) ? subscriptions.adminListSubscriptions : subscriptions.listSubscriptions;
  const page = await call(route, { limit });
  return pageAnswer(
    encodeOutput(route, page),
    { shown: page.items.length, total: page.total },
    tableLines(
      [say('cli.column_id'), say('cli.column_service'), say('cli.column_state'), say('cli.column_since')],
      page.items.map((each) => [
        each.id,
        each.service.name,
        // used as: 'cli.subscription_*'
        say(`cli.subscription_${each.state}`),
        dayOf(each.startedAt),
      ]),
    ),
    say,
  );
}

/** Shows what closing a month would issue now. */
export async function previewClose({ call, say }: CommandContext, month: BillingMonth): Promise<Answer> {
  await call(billing.previewClose, { month });
  const found = await call(billing.getPreview, { month });
  const { totals = [], failing = [] } = found.preview ?? {};
  return {
    data: encodeOutput(billing.getPreview, found),
    lines: [
      say('cli.preview_nothing', { month }),
      ...totals.map(({ bills, total }) =>
        say('cli.preview_total', { count: bills, amount: moneyText(total), currency: total.currency }),
      ),
      ...failing.map(({ organization, reason }) => say('cli.preview_failing', { organization, reason })),
    ],
    status: failing.length > 0 ? 1 : 0,
  };
}

const batchSize = 1000;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The events of a file: one JSON array, or one object per line. */
function eventsIn(text: string, say: Say): Record<string, unknown>[] {
  const parsed = (json: string, line: number): unknown => {
    const read = readJson(json);
    if ('reason' in read) throw new CommandRefused(say('cli.usage_no_json', { line }));
    return read.value;
  };
  const found: [unknown, number][] = text.trimStart().startsWith('[')
    ? z.parse(z.array(z.unknown()), parsed(text, 1)).map((each, index) => [each, index + 1])
    : text
        .split('\n')
        .flatMap((line, index): [unknown, number][] =>
          line.trim() === '' ? [] : [[parsed(line, index + 1), index + 1]],
        );
  return found.map(([each, line]) => {
    if (!isObject(each)) throw new CommandRefused(say('cli.usage_no_json', { line }));
    return each;
  });
}

/**
 * Sends the usage events of a file. Missing ids are derived from the file's content and the event's position
 * in it, so that a file counts once however often it is sent.
 */
export async function sendUsage({ send, say, terminal }: CommandContext, file: string): Promise<Answer> {
  const text = file === '-' ? await terminal.input() : readText(file, say);
  const events = eventsIn(text, say);
  if (events.length === 0) throw new CommandRefused(say('cli.usage_no_events'));
  const content = createHash('sha256').update(text).digest('hex').slice(0, 24);
  const complete = events.map((event, index) => ({
    specversion: '1.0',
    id: `${content}-${index + 1}`,
    source: '/skytally-cli',
    ...event,
  }));
  const sum = { accepted: 0, duplicates: 0 };
  const rejected: { index: number; code: string; message: string }[] = [];
  for (let start = 0; start < complete.length; start += batchSize) {
    const answer = z.decode(
      usage.ingest.output,
      (await send({
        method: 'POST',
        path: '/api/usage/events',
        body: JSON.stringify(complete.slice(start, start + batchSize)),
        type: 'application/cloudevents-batch+json',
      })) as z.input<typeof usage.ingest.output>,
    );
    sum.accepted += answer.accepted;
    sum.duplicates += answer.duplicates;
    rejected.push(
      ...answer.rejected.map(({ index, code, message }) => ({ index: start + index + 1, code, message })),
    );
  }
  return {
    data: { ...sum, rejected },
    lines: [
      say('cli.usage_done', { ...sum, rejected: rejected.length }),
      ...rejected.map(({ index, message }) => say('cli.usage_rejected', { index, message })),
    ],
    status: rejected.length > 0 ? 1 : 0,
  };
}

function readText(file: string, say: Say): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Missing, a folder, or not readable by us: the name says enough.
    throw new CommandRefused(say('cli.file_unreadable', { file }));
  }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Makes any API call; prints the response data as JSON. `data` is JSON, `@file` or `-` for standard input;
 * `field` prints one of its fields (`items.0.id`) for scripts.
 */
export async function callApi(
  { send, say, terminal }: CommandContext,
  method: string,
  path: string,
  { data, field }: { readonly data?: string; readonly field?: string },
): Promise<Answer> {
  const verb = method.toUpperCase();
  if (!methods.includes(verb)) throw new CommandRefused(say('cli.method_wrong'));
  if (!path.startsWith('/')) throw new CommandRefused(say('cli.path_wrong'));
  const body =
    data === '-' ? await terminal.input() : data?.startsWith('@') ? readText(data.slice(1), say) : data;
  const read = body === undefined ? undefined : readJson(body);
  if (read && 'reason' in read) throw new CommandRefused(say('cli.no_json', { reason: read.reason }));
  const answer = await send({
    method: verb,
    path: path.startsWith('/api/') ? path : `/api${path}`,
    ...(body !== undefined && { body }),
    ...(body === undefined && verb !== 'GET' && verb !== 'DELETE' && { body: '{}' }),
  });
  const shown = field === undefined ? answer : fieldOf(answer, field);
  if (shown === undefined) throw new CommandRefused(say('cli.field_unknown', { field: field ?? '' }));
  return { data: shown, lines: [typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2)] };
}

/** The value at a dotted path in a response; undefined when there is none. */
function fieldOf(answer: unknown, dottedPath: string): unknown {
  return dottedPath
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        Array.isArray(value) ? value[Number(name)] : isObject(value) ? value[name] : undefined,
      answer,
    );
}
