// Messages that were given up: nothing is parked in silence (I8).
import { byStatement, numberOf, told, type Check } from './books.ts';

export const messageCheck: Check = {
  id: 'messages',
  invariants: ['I8'],
  title: 'No message was given up',
  unit: 'messages',
  isPerOrganization: false,
  onlyWarns: true,
  run: byStatement(
    () => 'select count(*) from outbox',
    // What went wrong may name people: it stays in the database.
    () =>
      `select 'message_parked' as code, kind || ' ' || id as subject, 'sent' as expected, attempts || ' attempts' as actual from outbox where parked_at is not null and sent_at is null`,
    async (books) =>
      told([
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
