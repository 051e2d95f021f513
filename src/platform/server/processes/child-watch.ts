// The thread that kills its process when the console is gone: stdin is a pipe from the console, which the
// system then closes.
import { Socket } from 'node:net';

const stdin = new Socket({ fd: 0, readable: true, writable: false });
stdin.on('error', () => stdin.destroy());
stdin.on('close', () => process.kill(process.pid, 'SIGKILL'));
stdin.resume();
