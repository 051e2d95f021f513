// VAT ids by country: which are accepted, and why the others are rejected.
import { describe, expect, it } from 'vitest';
import { isElectronicAddress, tidyVatId, vatIdExample, vatIdIssue } from './vat-ids.ts';

const right: readonly (readonly [string, string])[] = [
  ['AT', 'ATU13585627'],
  ['BE', 'BE0411905847'],
  ['BG', 'BG175074752'],
  ['CY', 'CY10259033P'],
  ['CZ', 'CZ25123891'],
  ['DE', 'DE136695976'],
  ['DK', 'DK13585628'],
  ['EE', 'EE100931558'],
  ['GR', 'EL094259216'],
  ['ES', 'ESA13585625'],
  ['FI', 'FI20774740'],
  ['FR', 'FR83404833048'],
  ['GB', 'GB980780684'],
  ['HR', 'HR33392005961'],
  ['HU', 'HU12892312'],
  ['IE', 'IE6433435F'],
  ['IE', 'IE6433435OA'],
  ['IE', 'IE8D79739I'],
  ['IT', 'IT00743110157'],
  ['LT', 'LT119511515'],
  ['LU', 'LU15027442'],
  ['LV', 'LV40003521600'],
  ['MT', 'MT11679112'],
  ['NL', 'NL004495445B01'],
  ['PL', 'PL8567346215'],
  ['PT', 'PT501964843'],
  ['RO', 'RO18547290'],
  ['SE', 'SE123456789701'],
  ['SI', 'SI50223054'],
  ['SK', 'SK2022749619'],
  ['TW', 'TW04595257'],
  ['US', 'US123456789'],
];
/** With another last digit: the format is right, the check digit is wrong. */
const wrongDigit: readonly (readonly [string, string])[] = [
  ['AT', 'ATU13585626'],
  ['BE', 'BE0411905846'],
  ['CZ', 'CZ25123890'],
  ['DE', 'DE136695975'],
  ['DK', 'DK13585627'],
  ['EE', 'EE100931557'],
  ['GR', 'EL094259215'],
  ['FI', 'FI20774741'],
  ['FR', 'FR84404833048'],
  ['GB', 'GB980780685'],
  ['HR', 'HR33392005962'],
  ['HU', 'HU12892313'],
  ['IE', 'IE6433435E'],
  ['IT', 'IT00743110158'],
  ['LU', 'LU15027443'],
  ['MT', 'MT11679113'],
  ['NL', 'NL004495446B01'],
  ['PL', 'PL8567346216'],
  ['PT', 'PT501964842'],
  ['RO', 'RO18547291'],
  ['SE', 'SE123456789601'],
  ['SI', 'SI50223055'],
  ['SK', 'SK2022749618'],
  ['TW', 'TW04595258'],
];

describe('T-TAX: VAT ids', () => {
  it.each(right)('a valid one of %s is accepted: %s', (country, vatId) => {
    expect(vatIdIssue(vatId, country)).toBeUndefined();
  });
  it.each(wrongDigit)('one of %s with a wrong digit is rejected: %s', (country, vatId) => {
    expect(vatIdIssue(vatId, country)).toBe('check');
  });
  it('one of another country and one in another format have different errors', () => {
    expect(vatIdIssue('FR83404833048', 'DE')).toBe('country');
    expect(vatIdIssue('DE136695976', '')).toBe('country');
    expect(vatIdIssue('GR094259216', 'GR')).toBe('country');
    expect(vatIdIssue('DE12345678', 'DE')).toBe('form');
    expect(vatIdIssue('NL004495445C01', 'NL')).toBe('form');
    expect(vatIdIssue('XI980780684', 'GB')).toBeUndefined();
  });
  it('spaces, dots and lower case are normalized, and a country’s example is valid', () => {
    expect(tidyVatId(' be 0411.905.847')).toBe('BE0411905847');
    for (const [country] of right) expect(vatIdIssue(vatIdExample(country), country)).toBeUndefined();
  });
  it('an electronic address names its scheme', () => {
    expect(isElectronicAddress('0088:7300010000001')).toBe(true);
    expect(isElectronicAddress('EM:bills@example.com')).toBe(true);
    expect(isElectronicAddress('7300010000001')).toBe(false);
  });
});
