// The list calls that the palette searches with.
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const { queries: billingQueries } = connect('billing', billing, consoleApi);
export const { queries: catalogueQueries } = connect('catalogue', catalogue, consoleApi);
export const { queries: identityQueries } = connect('identity', identity, consoleApi);
