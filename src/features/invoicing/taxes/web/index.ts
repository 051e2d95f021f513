// The public API of taxes in the browser: the Admin's screen, and how an organization is taxed (loaded when
// opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadTaxesScreen = () =>
  withTexts(import('./TaxesScreen.tsx'), 'taxes').then((module) => module.TaxesScreen);
/** For an organization's panel: how it is taxed, and the VIES result for its VAT id. */
export const loadOrganizationTax = () =>
  withTexts(import('./OrganizationTax.tsx'), 'taxes').then((module) => module.OrganizationTax);
