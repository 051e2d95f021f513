// Federation: signing in through somebody else: Google, or an organization's own identity provider.
import { contract } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/refusal.ts';

export const federation = contract({});

export const federationErrors = {} as const satisfies ErrorTable;

export const federationPaths = { callback: '/callback' } as const;
