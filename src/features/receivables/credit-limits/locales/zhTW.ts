// 信用額度的文字。

export const zhTW = {
  // Errors
  'creditlimits.reached':
    '已達信用額度：未結金額為 {{used}}，額度為 {{limit}}。請先付清帳單或儲值，再試一次。使用中的服務不受影響。',
  'creditlimits.seller_refuses': '目前無法啟用新的服務，請洽「{{seller}}」。使用中的服務不受影響。',
  'creditlimits.payer_reached':
    '替您付款的組織已達信用額度。請對方付清帳單或儲值，再試一次。使用中的服務不受影響。',
  'creditlimits.not_found': '找不到這項額度，可能已被移除。請重新整理。',
  'creditlimits.organization_not_found': '找不到這個組織。請重新選擇。',
  'creditlimits.not_positive': '請輸入大於 0 的金額。',
  'creditlimits.other_currency': '請輸入 {{currency}} 金額。',
  'creditlimits.needs_amount': '請輸入金額。要取消所有組織的額度時，請移除它。',

  // Notifications
  'creditlimits.notice_near': '未結金額 {{amount}} 已達信用額度 {{limit}} 的 80%。達到額度後將無法新增訂閱。',
  'creditlimits.notice_reached':
    '未結金額 {{amount}} 已達信用額度 {{limit}}，暫時無法新增訂閱或升級方案。使用中的服務不受影響。',
  'creditlimits.notice_customer': '「{{name}}」的未結金額 {{amount}} 已達信用額度 {{limit}}。',
  'creditlimits.notice_kept_paused':
    '「{{service}}」維持暫停：恢復使用會超過信用額度 {{limit}}。請先付清帳單或儲值，再恢復使用。',
  'creditlimits.notice_kept_paused_payer':
    '「{{service}}」維持暫停：替您付款的組織已達信用額度。請對方付清帳單或儲值，再恢復使用。',
  'creditlimits.notice_kept_paused_seller': '「{{service}}」維持暫停，目前無法恢復使用，請洽「{{seller}}」。',
  'creditlimits.notice_kept_paused_customer':
    '「{{name}}」的「{{service}}」維持暫停：恢復使用會超過「{{owing}}」的信用額度 {{limit}}。',

  // A customer's credit
  'creditlimits.title': '信用額度',
  'creditlimits.meter': '信用額度使用比例（{{currency}}）',
  'creditlimits.used_none': '尚未動用，額度 {{limit}}',
  'creditlimits.used_of': '已動用 {{used}}，額度 {{limit}}',
  'creditlimits.unpaid': '未付帳單',
  'creditlimits.unbilled': '尚未出帳（含稅）',
  'creditlimits.balance': '減：餘額',
  'creditlimits.parts': '計算方式',
  'creditlimits.parts_in': '計算方式（{{currency}}）',
  'creditlimits.left': '還可使用',
  'creditlimits.for_all': '適用所有組織的額度',
  'creditlimits.level_within': '額度內',
  'creditlimits.level_near': '接近額度',
  'creditlimits.level_reached': '已達額度',
  'creditlimits.banner_near': '快達到信用額度了',
  'creditlimits.banner_reached': '已達信用額度',
  'creditlimits.banner_near_what':
    '未結金額 {{used}}，額度 {{limit}}，還可使用 {{left}}。達到額度後將無法新增訂閱或升級方案。',
  'creditlimits.banner_reached_what':
    '未結金額 {{used}}，額度 {{limit}}。付清帳單或儲值後，才能新增訂閱或升級方案；使用中的服務不受影響。',
  'creditlimits.banner_pay': '付款或儲值',

  // Admins
  'creditlimits.none': '這個組織沒有信用額度。',
  'creditlimits.list_title': '信用額度',
  'creditlimits.list_lead':
    '未付帳單加上尚未出帳的金額（含稅），減去餘額，達到額度時不能新增訂閱、加購或升級。使用中的服務不受影響。',
  'creditlimits.search': '搜尋組織',
  'creditlimits.set': '設定信用額度',
  'creditlimits.edit': '變更信用額度',
  'creditlimits.edit_of': '變更「{{name}}」的信用額度',
  'creditlimits.remove': '移除信用額度',
  'creditlimits.removed': '已移除信用額度',
  'creditlimits.saved': '已儲存信用額度',
  'creditlimits.save': '儲存信用額度',
  'creditlimits.for': '適用對象',
  'creditlimits.everyone': '所有組織',
  'creditlimits.one': '單一組織',
  'creditlimits.organization': '組織',
  'creditlimits.rule': '規則',
  'creditlimits.up_to_amount': '達到金額為止',
  'creditlimits.never': '沒有額度限制',
  'creditlimits.never_help': '這個組織不適用「所有組織」的額度。',
  'creditlimits.currency': '幣別',
  'creditlimits.amount': '額度（含稅）',
  'creditlimits.amount_help': '未結金額最多可達此金額。',
  'creditlimits.set_at': '設定時間',
  'creditlimits.set_by': '設定者',
  'creditlimits.empty': '尚未設定信用額度',
  'creditlimits.empty_hint': '沒有額度時，新增訂閱不看未結金額。',
  'creditlimits.remove_title': '移除「{{name}}」的信用額度？',
  'creditlimits.remove_text': '移除後立即生效。若有適用所有組織的額度，改用該額度。',
} as const;
