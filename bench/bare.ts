// The yardstick: bare Fastify with the driver, one query per request (or none), no sign-in, no checks, no
// total.
import { createHash, randomBytes } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import fastify from 'fastify';
import type pg from 'pg';

/** The table of the bare sign-in's sessions. */
export const sessionTable =
  'create table if not exists bench_session (hash bytea primary key, user_id text not null, at timestamptz not null default now())';
export const rawTable = `create table if not exists bench_event (source text not null, event_id text not null, subscription_id text not null, time timestamptz not null, value numeric not null, received_at timestamptz not null, properties jsonb, primary key (source, event_id)); create index if not exists bench_event_of on bench_event (subscription_id, time)`;
export const rawInsert = `insert into bench_event select s, i, b, t, v, now(), null from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::numeric[]) as u (s, i, b, t, v) on conflict do nothing`;

/** Starts a bare list endpoint on the same database; resolves to its address. */
export async function startBare(pool: pg.Pool): Promise<{ address: string; close: () => Promise<void> }> {
  const app = fastify({ bodyLimit: 4 * 1024 * 1024 });
  app.get('/list', async () => {
    const { rows } = await pool.query({
      name: 'bare',
      text: `select id, account, name, role, status, created_at from app_user where role = 'User' order by created_at desc, id desc limit 25`,
    });
    return { items: rows };
  });
  app.get('/one', async () => {
    const { rows } = await pool.query({
      name: 'one',
      text: `select id, account, name, role, status, created_at from app_user where account = 'admin@bench.example'`,
    });
    return rows[0];
  });
  // The minimum for a sign-in: one row read, one hash, one row that is durable before the answer.
  app.post('/sign-in', async (request) => {
    const { account, password, stored } = request.body as {
      account: string;
      password: string;
      stored: string;
    };
    const {
      rows: [user],
    } = await pool.query<{ id: string }>({
      name: 'user',
      text: `select id, account, name, role, status, created_at from app_user where account = $1`,
      values: [account],
    });
    if (!user || !(await verify(stored, password))) throw new Error('nobody');
    const secret = randomBytes(32);
    await pool.query({
      name: 'session',
      text: 'insert into bench_session (hash, user_id) values ($1, $2)',
      values: [createHash('sha256').update(secret).digest(), user.id],
    });
    return { token: secret.toString('base64url'), user };
  });
  // The cost of HTTP without a database: an event read and answered; and with the database: a batch read and
  // inserted.
  app.post('/nothing', async (request) => ({
    data: { accepted: (request.body as { id: string }).id === '' ? 0 : 1 },
  }));
  app.post('/events', async (request) => {
    const events = request.body as {
      source: string;
      id: string;
      subject: string;
      time: string;
      data: { value: string };
    }[];
    await pool.query({
      name: 'raw',
      text: rawInsert,
      values: [
        events.map((each) => each.source),
        events.map((each) => each.id),
        events.map((each) => each.subject),
        events.map((each) => each.time),
        events.map((each) => each.data.value),
      ],
    });
    return { data: { accepted: events.length, duplicates: 0 } };
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return { address, close: () => app.close() };
}
