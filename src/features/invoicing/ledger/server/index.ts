// The ledger's door: what other columns write into it and read of it.
export { accountsOf, append, lockBalance, lockBalances } from './store.ts';
