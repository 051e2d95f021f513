// The public API of quotes on the server: their routes, and the job that warns before they expire.
import type { BillsAhead } from '#features/invoicing/commitments/server/index.ts';
import { feature, type Feature } from '#platform/server/unit-of-work/feature.ts';
import { quotes, quotesErrors } from '../contract.ts';
import { acceptQuote } from './accept.ts';
import { expiringQuotesJob } from './expiring.ts';
import { declineQuote, openQuote, quoteDocument, quotePdf } from './open.ts';
import { exportQuotes, getQuote, listQuotes, ownQuotes } from './read.ts';
import { createQuote, deleteQuote, previewQuote, sendQuote, updateQuote, withdrawQuote } from './write.ts';

/** Creates the feature's server side; the app passes in what open months will draw from commitments. */
export const quotesFeature = (bills: BillsAhead): Feature =>
  feature({
    name: 'quotes',
    contract: quotes,
    errors: quotesErrors,
    verbs: {
      listQuotes,
      createQuote,
      previewQuote,
      exportQuotes,
      getQuote,
      updateQuote,
      deleteQuote,
      sendQuote,
      withdrawQuote,
      quotePdf,
      ownQuotes,
      openQuote,
      quoteDocument,
      acceptQuote: acceptQuote(bills),
      declineQuote,
    },
    jobs: [expiringQuotesJob],
    // A refused acceptance rolls everything back, and still notifies the seller.
    ownUnitOfWork: ['acceptQuote'],
  });
