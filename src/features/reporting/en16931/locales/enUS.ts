// Texts of e-invoice files in English.
export const enUS = {
  // Errors
  'en16931.bill_void': 'This bill is void and has no e-invoice. Download the one that replaces it.',
  'en16931.seller_country': 'An e-invoice needs the seller’s country. An administrator sets it under Taxes.',
  'en16931.seller_vat_id': 'An e-invoice needs the seller’s VAT ID. An administrator sets it under Taxes.',
  'en16931.seller_registration':
    'This e-invoice needs the seller’s tax ID or registration number. An administrator sets it in the system settings, under Seller.',
  'en16931.seller_address':
    'An e-invoice needs the seller’s address. An administrator sets it in the system settings, under Seller.',
  'en16931.buyer_vat_id':
    'A reverse-charge e-invoice needs the buyer’s VAT ID. An administrator sets it in the organization’s settings.',
  'en16931.buyer_address':
    'An e-invoice needs the buyer’s billing address. Set it in the organization’s settings.',
  'en16931.no_lines': 'This bill has no lines, so there is no e-invoice of it.',
  'en16931.rule_broken': 'This bill breaks rule {{rule}} of EN 16931, so there is no e-invoice of it.',
  // Documents
  'en16931.credit_terms': 'Set off against bill {{number}}; the rest goes to the balance.',
  // The menu
  'en16931.download_note': 'Download {{number}} as an e-invoice',
  'en16931.download': 'E-invoice',
  'en16931.name_ubl.xml': 'UBL (XML)',
  'en16931.name_factur-x.pdf': 'Factur-X (PDF)',
} as const;
