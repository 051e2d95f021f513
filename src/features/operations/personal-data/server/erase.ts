// Erases people: deletes the data that only they need, replaces their names in what stays, searches again,
// and signs a certificate. Every step can be repeated, so a run that was killed starts again.
import * as z from 'zod/mini';
import { chunksOf } from '#kernel/chunks.ts';
import type { Id } from '#kernel/ids.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Actor, App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { seal, unseal } from '#platform/server/security/sealing.ts';
import { setting } from '#platform/server/unit-of-work/settings.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { version } from '#platform/server/version.ts';
import { forgetApprovals } from '#features/access/approvals/server/index.ts';
import { eraseNow } from '#features/access/users/server/index.ts';
import { unscheduledRetentionDays } from '#features/operations/backups/rules.ts';
import { planSetting } from '#features/operations/backups/server/index.ts';
import { presentKey, signatureFile } from '#features/operations/licensing/server/index.ts';
import { BookYears, type Remaining } from '../contract.ts';
import { tableRules } from '../rules.ts';
import {
  booksUntil,
  deletedOfOrganization,
  deletedTables,
  heldByBackupsUntil,
  initialBookYears,
  pseudonymOf,
  termsOf,
  type Term,
} from '../rules-erasure.ts';
import { rememberErasure } from './erased-list.ts';
import { approvalsAbout, eraseApprovals } from './erase-approvals.ts';
import { tidyExports } from './make-export.ts';
import {
  deleteHolding,
  deleteOf,
  redactAudit,
  replaceIn,
  stillHolding,
  textFields,
  type TextField,
} from './store-erasure.ts';
import {
  addCounts,
  beginErasure,
  contactsOf,
  countsOf,
  otherAddresses,
  emptyOrganization,
  endCheck,
  endErasure,
  expireExports,
  lastBillYear,
  peopleOf,
  uncheckedErasures,
  type RunningErasure,
  type Subject,
} from './store-erasures.ts';

const actor: Actor = { kind: 'system', name: 'personal-data' };
const purpose = 'skytally erased terms';
// The number of terms that one statement replaces.
const termsAtOnce = 40;
/** Tables of messages and one-time proofs: rows that name the erased subject are deleted as a whole. */
const wholeRows: ReadonlySet<string> = new Set([
  'outbox',
  'idempotency_key',
  'company_ticket',
  'link_request',
  'attempt',
]);

export const bookYearsSetting = setting('personalData.bookYears', BookYears, initialBookYears);

const Terms = z.array(
  z.strictObject({
    kind: z.enum(['email', 'phone', 'name', 'address']),
    text: z.string(),
    instead: z.string(),
  }),
);

/** The terms that identify the people of an erasure, encrypted until a later run has searched for them. */
export async function sealedTerms(ctx: Ctx, erasureId: string, subject: Subject): Promise<Buffer> {
  return seal(ctx.app, purpose, erasureId, JSON.stringify(await termsOfSubject(ctx, subject)));
}

/** The terms that identify the people of an erasure, and their organization's contact data. */
export async function termsOfSubject(ctx: Ctx, subject: Subject): Promise<Term[]> {
  const people = await peopleOf(ctx, subject);
  const contacts = subject.userId === null ? await contactsOf(ctx, subject.id) : undefined;
  const nobody = { id: subject.id, name: '', account: '', phone: '', address: '' };
  const accounts = [
    ...(await otherAddresses(ctx, subject)),
    ...(contacts ? [contacts.email, contacts.electronicAddress] : []),
  ];
  const shared = accounts.flatMap((account) => termsOf({ ...nobody, account }));
  const place = contacts ? termsOf({ ...nobody, address: contacts.address }) : [];
  const all = [...people.flatMap(termsOf), ...shared, ...place];
  return [...new Map(all.map((term) => [`${term.kind} ${term.text.toLowerCase()}`, term])).values()];
}

const openTerms = (app: App, { id, terms }: RunningErasure): Term[] =>
  terms === null ? [] : z.parse(Terms, JSON.parse(unseal(app, purpose, id, terms)));

const erasedOf = ({ kind, organizationId, userId }: RunningErasure) =>
  kind === 'organization' ? { organizationId, userId: null } : { organizationId, userId };

/** Carries out an erasure. */
export const eraseJob = job({
  name: 'personal-data-erasure',
  run: async (app: App, { erasureId }: { erasureId: Id<'ers'> }, signal) => {
    const running = await unitOfWork(app, { actor }, (ctx) => beginErasure(ctx, erasureId));
    if (!running) return;
    await runErasure(app, running, signal);
  },
});

async function runErasure(app: App, running: RunningErasure, signal: AbortSignal): Promise<void> {
  const { id, kind, organizationId, userId } = running;
  const terms = openTerms(app, running);
  const erased = erasedOf(running);
  const step = async (work: (ctx: Ctx) => Promise<void>): Promise<void> => {
    signal.throwIfAborted();
    await unitOfWork(app, { actor }, work);
  };
  // First, while the ids in the requests can still be matched to their owners.
  await step((ctx) => eraseApprovals(ctx, id, erased, terms));
  // Rows are counted while they still belong to identifiable people.
  for (const table of [...deletedTables, ...(kind === 'organization' ? deletedOfOrganization : [])])
    await step(async (ctx) =>
      addCounts(ctx, id, { table, deleted: await deleteOf(ctx, table, erased), changed: 0 }),
    );
  await step(async (ctx) => {
    const people = await peopleOf(ctx, erased);
    await eraseNow(
      ctx,
      people.map((person) => person.id),
      pseudonymOf,
    );
    if (kind === 'organization' && organizationId !== null) {
      await emptyOrganization(ctx, organizationId, pseudonymOf(organizationId));
      await expireExports(ctx, organizationId);
    }
    await addCounts(ctx, id, { table: 'app_user', deleted: 0, changed: people.length });
  });
  const fields = await unitOfWork(app, { actor }, textFields);
  const byTable = Map.groupBy(fields, ({ table }) => table);
  for (const [table, own] of byTable)
    if (table !== 'audit_log' && table !== 'erasure')
      await step(async (ctx) => eraseIn(ctx, id, table, own, erased, terms));
  await step(async (ctx) => {
    // Only the final content of an entry counts: several chunks of the terms may change the same entry.
    const entries = new Map<number, { seq: number; hash: string; content: string }>();
    for (const some of chunksOf(terms, termsAtOnce))
      for (const entry of await redactAudit(ctx, id, erased, some)) entries.set(entry.seq, entry);
    if (entries.size > 0) ctx.audit('personaldata.redact', id, { entries: [...entries.values()] });
    await addCounts(ctx, id, { table: 'audit_log', deleted: 0, changed: entries.size });
  });
  await step(async (ctx) => finish(ctx, running, fields, terms));
  await rememberErasure(app, { id, subjectId: userId ?? organizationId ?? '', askedAt: running.askedAt });
  await tidyExports(app);
}

async function eraseIn(
  ctx: Ctx,
  erasureId: string,
  table: string,
  fields: readonly TextField[],
  erased: { readonly organizationId: string | null; readonly userId: string | null },
  terms: readonly Term[],
): Promise<void> {
  let [deleted, changed] = [0, 0];
  for (const some of chunksOf(terms, termsAtOnce)) {
    if (wholeRows.has(table)) deleted += await deleteHolding(ctx, fields, some);
    else changed += await replaceIn(ctx, fields, erased, some);
  }
  await addCounts(ctx, erasureId, { table, deleted, changed });
}

/** Searches for everything that remains, whatever the number of terms. */
async function search(
  ctx: Ctx,
  running: RunningErasure,
  fields: readonly TextField[],
  terms: readonly Term[],
): Promise<Remaining[]> {
  const found = new Map<string, number>();
  for (const own of Map.groupBy(fields, ({ table }) => table).values())
    for (const some of chunksOf(terms, termsAtOnce))
      for (const { field, rows } of await stillHolding(ctx, own, erasedOf(running), some))
        found.set(field, (found.get(field) ?? 0) + rows);
  return [...found].map(([field, rows]) => ({ field, rows }));
}

async function finish(
  ctx: Ctx,
  running: RunningErasure,
  fields: readonly TextField[],
  terms: readonly Term[],
): Promise<void> {
  const { id, kind, organizationId, userId, reason, askedAt, askedBy } = running;
  const remains = await search(ctx, running, fields, terms);
  const backupsUntil = heldByBackupsUntil(ctx.now, await ctx.setting(planSetting), unscheduledRetentionDays);
  const year = await lastBillYear(ctx, organizationId);
  const until = year === null ? null : booksUntil(year, await ctx.setting(bookYearsSetting));
  const counts = await countsOf(ctx, id);
  const text = `${JSON.stringify(
    {
      format: 'skytally erasure certificate 1',
      id,
      kind,
      erased: userId ?? organizationId,
      pseudonym: pseudonymOf(userId ?? organizationId ?? ''),
      reason,
      askedBy,
      askedAt: askedAt.toISOString(),
      finishedAt: ctx.now.toISOString(),
      version,
      tables: Object.entries(counts)
        .map(([table, { deleted, changed }]) => ({ table, deleted, changed }))
        .toSorted((one, other) => (one.table < other.table ? -1 : 1)),
      searched: {
        tables: new Set(fields.map(({ table }) => table)).size,
        fields: fields.length,
        terms: terms.length,
      },
      // Documents and books that the law requires to keep, and until when.
      remains: remains.map((each) => ({ ...each, why: 'books and documents kept by law' })),
      booksUntil: until,
      backupsUntil: backupsUntil.toISOString(),
      known: Object.keys(tableRules).length,
    },
    null,
    2,
  )}\n`;
  const signature = signatureFile('skytally-erasure', await presentKey(ctx), text);
  await endErasure(ctx, id, { remains, backupsUntil, booksUntil: until, certificate: text, signature });
  ctx.audit('personaldata.erased', id, { kind, rows: counts, remains });
}

/** Searches again, in a later run, for what was erased; then deletes the search terms. */
export async function checkErasures(app: App): Promise<void> {
  const due = await unitOfWork(app, { actor }, (ctx) =>
    uncheckedErasures(ctx, new Date(ctx.now.getTime() - dayMs / 24)),
  );
  for (const running of due)
    await unitOfWork(app, { actor }, async (ctx) => {
      const terms = openTerms(app, running);
      // Requests that were running during the erasure were left alone.
      await forgetApprovals(ctx, await approvalsAbout(ctx, erasedOf(running), terms));
      const found = await search(ctx, running, await textFields(ctx), terms);
      await endCheck(ctx, running.id, found);
      ctx.audit('personaldata.checked', running.id, { found });
    });
}

export const checkErasuresJob = job({
  name: 'personal-data-check',
  schedule: '25 * * * *',
  run: (app: App) => checkErasures(app),
});
