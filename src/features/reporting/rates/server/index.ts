// Exchange rates' public API on the server: their calls, and the conversion for reports.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { rates, ratesErrors } from '../contract.ts';
import { getReporting, importRates, listRates, saveReporting, setRate } from './rates.ts';

export const ratesFeature = feature({
  name: 'rates',
  contract: rates,
  errors: ratesErrors,
  verbs: { listRates, setRate, importRates, getReporting, saveReporting },
});

export { converterOn, reportingCurrency, type Converter } from './rates.ts';
