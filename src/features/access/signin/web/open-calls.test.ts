import { expect, it } from 'vitest';
import { signin } from '../contract.ts';
import { openRoutes } from './open-calls.ts';

it.each(Object.entries(openRoutes))(
  '%s is sent as the contract has it, and is open to everybody',
  (name, route) => {
    const { method, path, access } = Object.entries(signin).find(([one]) => one === name)?.[1] ?? {};
    expect({ method, path, access }).toEqual({ ...route, access: 'public' });
  },
);
