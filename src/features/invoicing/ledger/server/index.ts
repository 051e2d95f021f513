// The ledger's public API: what other features write to it and read from it.
export { accountsOf, append, lockBalance, lockBalances } from './store.ts';
