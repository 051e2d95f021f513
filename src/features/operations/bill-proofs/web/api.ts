// The browser's API client of proofs of bills.
import { billProofs } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const { client: billProofsApi } = connect('billproofs', billProofs, consoleApi);
