// The public API of taxes on the server: their routes, and how organizations' bills are taxed.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { taxes, taxesErrors } from '../contract.ts';
import { addTaxRate, listServiceTaxes, listTaxRates, removeTaxRate, setServiceTax } from './rates.ts';
import { getTaxSettings, saveTaxSettings } from './settings.ts';
import { checkVatId, organizationTax, vatChecksJob } from './vat-checks.ts';

export const taxesFeature = feature({
  name: 'taxes',
  contract: taxes,
  errors: taxesErrors,
  verbs: {
    listTaxRates,
    addTaxRate,
    removeTaxRate,
    getTaxSettings,
    saveTaxSettings,
    listServiceTaxes,
    setServiceTax,
    organizationTax,
    checkVatId,
  },
  jobs: [vatChecksJob],
  // Queries VIES, during which no transaction may be open.
  ownUnitOfWork: ['checkVatId'],
});

export { taxSeller } from './settings.ts';
export { exemptReason, taxationsOf, taxRate } from './taxations.ts';
