// Runs the yardstick in a separate process: its first argument is the database connection, its only message
// its address.
import pg from 'pg';
import { startBare } from './bare.ts';

const pool = new pg.Pool({ ...(JSON.parse(process.argv[2] ?? '{}') as pg.PoolConfig), max: 10 });
const { address } = await startBare(pool);
process.send?.(address);
process.on('disconnect', () => process.exit());
