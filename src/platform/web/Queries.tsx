// Where parts may ask the server: around the frame of the signed-in, and around each other screen that does.
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryCache } from './queries.ts';

export function Queries({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={queryCache}>{children}</QueryClientProvider>;
}
