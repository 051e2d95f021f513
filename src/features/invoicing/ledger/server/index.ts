// The ledger's public API: what other features write into it and read of it.
export { accountsOf, append, lockBalance, lockBalances } from './store.ts';
