// The ledger's public API: what other features write into it and read from it.
export { accountsOf, append, lockBalance, lockBalances } from './store.ts';
