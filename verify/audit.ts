// Whether the audit log is complete: recomputes the hash of every link, row by row (I9).
import { createHash } from 'node:crypto';
import { collector, rowsOf, streamOf, type Books, type Check, type Outcome } from './books.ts';

type Link = {
  seq: string;
  id: string;
  at: string;
  actor_kind: string;
  actor_id: string | null;
  action: string;
  subject: string | null;
  detail: string;
  request_id: string;
  hash: string;
};
const separator = '\u001f';

const statement = `select seq::text, id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as at, actor_kind, actor_id, action, subject, detail::text, request_id, encode(hash, 'hex') as hash from audit_log order by audit_log.seq`;

/**
 * A link's hash: of the previous hash and the row's fields, separated by a character that no text contains.
 */
function hashOf(before: Buffer, link: Link): Buffer {
  const fields = [
    link.seq,
    link.id,
    link.at,
    link.actor_kind,
    link.actor_id ?? '',
    link.action,
    link.subject ?? '',
    link.detail,
    link.request_id,
  ];
  return createHash('sha256').update(before).update(fields.join(separator), 'utf8').digest();
}

async function run(books: Books): Promise<Outcome> {
  const { add, result } = collector();
  let before = createHash('sha256').update('').digest();
  let last = 0n;
  let examined = 0;
  for await (const link of streamOf<Link>(books, 'audit_again', statement, 500)) {
    examined++;
    const seq = BigInt(link.seq);
    if (seq !== last + 1n)
      add({
        code: 'audit_missing',
        subject: String(last + 1n),
        expected: String(last + 1n),
        actual: link.seq,
      });
    else if (hashOf(before, link).toString('hex') !== link.hash)
      add({
        code: 'audit_changed',
        subject: `${link.seq} ${link.id}`,
        expected: hashOf(before, link).toString('hex'),
        actual: link.hash,
      });
    // After a broken link the check goes on with the stored hash, so that one damage is one finding.
    before = Buffer.from(link.hash, 'hex');
    last = seq;
  }
  const [head] = await rowsOf<{ seq: string; hash: string }>(
    books,
    `select seq::text, encode(hash, 'hex') as hash from audit_head`,
  );
  if (head?.seq !== String(last) || head.hash !== before.toString('hex'))
    add({ code: 'audit_end', subject: String(last), expected: head?.seq ?? 'none', actual: String(last) });
  return { examined: String(examined), ...result(), notes: [] };
}

export const auditCheck: Check = {
  id: 'audit-chain',
  invariants: ['I9'],
  title: 'The audit log’s hash chain is intact',
  unit: 'rows',
  isPerOrganization: false,
  run,
};
