// The yardstick: bare Fastify with the driver, one query a request, no sign-in, no checks, no total.
import fastify from 'fastify';
import type pg from 'pg';

/** Starts a bare list endpoint on the same database; answers its address. */
export async function startBare(pool: pg.Pool): Promise<{ address: string; close: () => Promise<void> }> {
  const app = fastify();
  app.get('/list', async () => {
    const { rows } = await pool.query({ name: 'bare', text: `select id, account, name, role, status, created_at from app_user where role = 'User' order by created_at desc, id desc limit 25` });
    return { items: rows };
  });
  app.get('/one', async () => {
    const { rows } = await pool.query({ name: 'one', text: `select id, account, name, role, status, created_at from app_user where account = 'admin@bench.example'` });
    return rows[0];
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return { address, close: () => app.close() };
}
