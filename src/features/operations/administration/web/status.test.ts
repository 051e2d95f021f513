import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { administration } from '../contract.ts';
import { statusRoute, statusSample } from './status.ts';

it('is asked for as the contract has it, and read by what the contract answers', () => {
  const { method, path, access, output } = administration.systemStatus;
  expect({ method, path, access }).toEqual({ ...statusRoute, access: 'public' });
  expect(z.safeDecode(output, statusSample).success).toBe(true);
});
