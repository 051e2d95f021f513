// npm run dev: the server restarts when its files change, the browser application is updated in place;
// development mode with /api/debug.
import { spawn } from 'node:child_process';
import { createServer } from 'vite';

const port = process.env.PORT ?? '3000';
const server = spawn(
  process.execPath,
  ['--watch-path=src', '--watch-preserve-output', 'src/app/cli/start.ts', 'start'],
  { stdio: 'inherit', env: { ...process.env, NODE_ENV: 'development', PORT: port } },
);
server.on('exit', (code) => process.exit(code ?? 0));

const web = await createServer({ server: { port: 5173 } });
await web.listen();
web.printUrls();

const stop = (): void => {
  void web.close();
  server.kill('SIGTERM');
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
