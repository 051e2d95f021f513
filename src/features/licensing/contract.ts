// Licensing: signed licence files that verify offline; here the key they verify with.
import * as z from 'zod/mini';
import { contract, noInput, route } from '#kernel/contract.ts';

export const licensing = contract({
  publicKey: route({
    method: 'GET', path: '/licenses/public-key', access: 'public', summary: 'The public key that licence files of this console verify with.',
    input: noInput, output: z.strictObject({ keyId: z.string(), algorithm: z.literal('ed25519'), publicKey: z.string() }),
  }),
});
