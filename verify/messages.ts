// Reports messages that failed for good, so that none stays unnoticed (I8).
import { byStatement, numberOf, nonZero, type Check } from './books.ts';

export const messageCheck: Check = {
  id: 'messages',
  invariants: ['I8'],
  title: 'Every message was sent or is still being retried',
  unit: 'messages',
  isPerOrganization: false,
  onlyWarns: true,
  run: byStatement(
    () => 'select count(*) from outbox',
    // The error text may name users, so it is not printed.
    () =>
      `select 'message_parked' as code, kind || ' ' || id as subject, 'sent' as expected, attempts || ' attempts' as actual from outbox where parked_at is not null and sent_at is null`,
    async (books) =>
      nonZero([
        {
          code: 'messages_waiting',
          count: await numberOf(
            books,
            `select count(*) from outbox where sent_at is null and parked_at is null and kind <> 'live'`,
          ),
        },
      ]),
  ),
};
