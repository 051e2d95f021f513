// 發票 means the statutory invoice only; a bill is 帳單 (T-EINV).
import { expect, it } from 'vitest';
import { namespaces } from '#app/locales/namespaces.ts';

/** Texts elsewhere about e-invoices, by their keys. */
const about = [
  /^billing\.einvoices$/,
  // Texts that say a document is not one.
  /_not_invoice$/,
  /^identity\.profile_einvoices$/,
  /^menu\.admin_einvoices$/,
  /^permissions\.group_einvoices$/,
  /^palette\.words_(own_bills|einvoices)$/,
  /^audit\.action_einvoices\./,
  /^books\.(check_einvoice|finding_(einvoice|allow))/,
  /^catalogue\.charge_tax_category_help$/,
  /^einvoices\./,
  // The files of statutory invoices in an export of an organization's data.
  /^personaldata\.file_einvoice/,
];

it('T-EINV: no text uses 發票 for anything else', () => {
  const wrong = Object.values(namespaces).flatMap(({ zhTW }) =>
    Object.entries(zhTW).filter(
      ([key, words]) => words.includes('發票') && !about.some((pattern) => pattern.test(key)),
    ),
  );
  expect(wrong).toEqual([]);
});
