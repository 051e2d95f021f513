// The public API of collection: its routes and jobs, and the handlers of the provider's events.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { collection, collectionErrors } from '../contract.ts';
import {
  addCard,
  detachKind,
  detachSender,
  listCards,
  releaseKind,
  releaseSender,
  removeCard,
  setCollection,
  setDefaultCard,
} from './cards.ts';
import { cardEntry, cardResult, enterCard } from './enter-card.ts';
import { collectJob, expiryJob } from './collect.ts';
import {
  adminBillCollection,
  billCollection,
  collectionPlan,
  listCollected,
  saveCollectionPlan,
  stopCollection,
} from './read.ts';

export const collectionFeature = feature({
  name: 'collection',
  contract: collection,
  errors: collectionErrors,
  verbs: {
    listCards,
    addCard,
    cardEntry,
    enterCard,
    cardResult,
    setDefaultCard,
    removeCard,
    setCollection,
    billCollection,
    adminBillCollection,
    collectionPlan,
    saveCollectionPlan,
    listCollected,
    stopCollection,
  },
  senders: { [detachKind]: detachSender, [releaseKind]: releaseSender },
  jobs: [collectJob, expiryJob],
  // Commits the consent, calls the provider outside any transaction, and commits the response.
  ownUnitOfWork: ['addCard', 'enterCard', 'cardResult'],
});

export { applyCardNotice } from './apply-card.ts';
export { areCardsOffered, defaultCardOf, webhookOf } from './cards.ts';
export { askCharge, chargeCard } from './charge-card.ts';
export { cardChosen } from './card-chosen.ts';
export { collect, planAfterFailure, warnOfExpiry } from './collect.ts';
export { billsCollected } from './read.ts';
