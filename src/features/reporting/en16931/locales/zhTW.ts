// Texts of electronic bill files in Chinese as people in Taiwan write it.
export const zhTW = {
  // Errors
  'en16931.bill_void': '這張帳單已作廢，不能下載電子帳單檔；請下載取代它的帳單。',
  'en16931.seller_country': '電子帳單檔需要賣方的國家，請管理員在「稅務」頁面設定。',
  'en16931.seller_vat_id': '電子帳單檔需要賣方的加值稅號，請管理員在「稅務」頁面設定。',
  'en16931.seller_registration':
    '電子帳單檔需要賣方的統一編號或登記號碼，請管理員在「系統設定」的「賣方資料」填寫。',
  'en16931.seller_address': '電子帳單檔需要賣方的地址，請管理員在「系統設定」的「賣方資料」填寫。',
  'en16931.buyer_vat_id': '反向課徵的電子帳單檔需要買受人的加值稅號，請管理員在組織的設定填寫。',
  'en16931.buyer_address': '電子帳單檔需要買受人的帳單地址，請在組織的設定填寫。',
  'en16931.no_lines': '這張帳單沒有明細，不能做成電子帳單檔。',
  'en16931.rule_broken': '這張帳單不符合 EN 16931 的規則 {{rule}}，不能做成電子帳單檔。',
  // Documents
  'en16931.credit_terms': '從帳單 {{number}} 扣抵，其餘轉入餘額。',
  // The menu
  'en16931.download_note': '下載 {{number}} 的電子帳單檔',
  'en16931.download': '電子帳單檔',
  'en16931.name_ubl.xml': 'UBL（XML）',
  'en16931.name_factur-x.pdf': 'Factur-X（PDF）',
} as const;
