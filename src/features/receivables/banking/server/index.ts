// The public API of banking: its routes.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { banking, bankingErrors } from '../contract.ts';
import { applyCertain, applyRow, ignoreRow, reopenRow, undoRow } from './apply.ts';
import { findTargets, matchRows } from './match.ts';
import { bankOverview, getRow, listRows } from './read.ts';
import { inspectStatement, listStatements, uploadStatement } from './statements.ts';

export const bankingFeature = feature({
  name: 'banking',
  contract: banking,
  errors: bankingErrors,
  verbs: {
    inspectStatement,
    uploadStatement,
    listStatements,
    bankOverview,
    matchRows,
    listRows,
    getRow,
    findTargets,
    applyRow,
    applyCertain,
    ignoreRow,
    reopenRow,
    undoRow,
  },
  // Each row has its own transaction, so that one that cannot be booked does not block the others.
  ownUnitOfWork: ['applyCertain'],
});
