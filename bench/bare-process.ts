// The yardstick in a process of its own: its connection as the first argument, its address as the one message it sends.
import pg from 'pg';
import { startBare } from './bare.ts';

const pool = new pg.Pool({ ...(JSON.parse(process.argv[2] ?? '{}') as pg.PoolConfig), max: 10 });
const { address } = await startBare(pool);
process.send?.(address);
process.on('disconnect', () => process.exit());
