// The public API of quotes on the server: their API calls, and the job that warns of their end.
import type { BillsAhead } from '#features/invoicing/commitments/server/index.ts';
import { feature, type Feature } from '#platform/server/unit-of-work/feature.ts';
import { quotes, quotesErrors } from '../contract.ts';
import { acceptQuote } from './accept.ts';
import { expiringQuotesJob } from './expiring.ts';
import { declineQuote, openQuote, quoteDocument, quotePdf } from './open.ts';
import { exportQuotes, getQuote, listQuotes, ownQuotes } from './read.ts';
import { createQuote, deleteQuote, previewQuote, sendQuote, updateQuote, withdrawQuote } from './write.ts';

/** Creates the feature's server side; the app passes in what open months will draw of commitments. */
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
    // An acceptance that is refused takes everything back, and yet tells the seller.
    ownUnitOfWork: ['acceptQuote'],
  });
