// Texts of late fees in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  // Errors
  'latefees.not_found': '找不到這筆遲延費。',
  'latefees.waived_already': '這筆遲延費已免除。',
  'latefees.currency_twice': '每種幣別只能設定一次，請選擇其他幣別或移除這一列。',
  'latefees.one_way': '請填寫年息或每次催繳的固定金額，兩者擇一。',
  'latefees.percent_wrong': '請輸入大於 0、不超過 100 的年息，小數最多 {{digits}} 位。',
  'latefees.grace_wrong': '請輸入 0 到 90 的寬限天數。',
  'latefees.other_currency': '金額的幣別與這一列不同，請改為相同幣別。',
  'latefees.amount_wrong': '請輸入有效的金額：固定金額須大於 0，最低金額不可小於 0。',
  'latefees.cap_wrong': '上限須大於 0，且不可低於最低金額；不設上限請留空。',

  // Notifications
  'latefees.notice_charged': '帳單 {{number}} 逾期未繳，遲延費 {{amount}} 將列入下一張帳單。',
  'latefees.notice_waived': '帳單 {{number}} 的遲延費 {{amount}} 已免除，不會列入帳單。',
  'latefees.ahead_percent': '{{date}}起仍未繳的金額，按年息 {{percent}}% 逐日計收遲延利息。',
  'latefees.ahead_fixed': '逾期後每次催繳加收 {{amount}}。',

  // On bills
  'latefees.line': '遲延利息：帳單 {{number}}，{{from}}至{{until}}，{{arithmetic}}',
  'latefees.line_step': '逾期費：帳單 {{number}}，到期後第 {{elapsed}} 天催繳',
  'latefees.arithmetic': '{{late}} × 年息 {{percent}}% ÷ 365',
  'latefees.arithmetic_part_one': '{{late}} × {{count}} 天',
  'latefees.arithmetic_part': '{{late}} × {{count}} 天',
  'latefees.arithmetic_step': '到期後第 {{elapsed}} 天的催繳，固定金額',
  'latefees.bill_void': '帳單已作廢',

  // Words
  'latefees.state_pending': '待出帳',
  'latefees.state_billed': '已出帳',
  'latefees.state_waived': '已免除',
  'latefees.state_credited': '已折讓',

  // A bill
  'latefees.title': '遲延費',
  'latefees.bill_percent': '{{date}}起，逾期金額按年息 {{percent}}% 逐日計息，每月結算一次。',
  'latefees.bill_fixed': '{{date}}起，每次催繳加收 {{amount}}。',
  'latefees.bill_cap': '這張帳單最多計收 {{amount}}。',
  'latefees.running': '至昨日尚未計收：{{amount}}。',
  'latefees.charged_on': '{{date}}計收',
  'latefees.days_one': '{{from}}，{{late}} × {{count}} 天',
  'latefees.days': '{{from}}至{{until}}，{{late}} × {{count}} 天',
  'latefees.step': '到期後第 {{elapsed}} 天的催繳',
  'latefees.on_bill': '列於帳單 {{number}}',
  'latefees.on_next': '列入下一張帳單',
  'latefees.waive': '免除',
  'latefees.waive_of': '免除遲延費 {{amount}}',
  'latefees.waive_confirm': '免除遲延費',
  'latefees.waive_title': '免除遲延費 {{amount}}？',
  'latefees.waive_pending': '這筆尚未出帳，免除後不會列入下一張帳單，並通知客戶。',
  'latefees.waive_billed': '這筆已列於帳單 {{number}}，將為這一筆開立折讓單，並通知客戶。',
  'latefees.waive_reason': '原因',
  'latefees.waived': '遲延費已免除。',

  // Settings
  'latefees.lead':
    '帳單逾期未繳時自動計收，列入客戶的下一張帳單；已開立的帳單不變。變更只適用於之後開立的帳單。',
  'latefees.on': '已啟用',
  'latefees.off': '未啟用',
  'latefees.since': '{{by}} 於 {{date}}設定',
  'latefees.grace': '寬限天數',
  'latefees.grace_help': '到期日後這些天不計費。',
  'latefees.tax': '課稅',
  'latefees.tax_standard': '與其他費用相同',
  'latefees.tax_exempt': '免稅',
  'latefees.tax_help_stated': '遲延利息通常不課營業稅，請依您的稅務顧問建議選擇。',
  'latefees.tax_help_plain': '目前所有費用採同一稅率；在「稅務」設定賣方國家後才能免稅。',
  'latefees.row': '{{currency}} 的遲延費',
  'latefees.currency': '幣別',
  'latefees.way': '計算方式',
  'latefees.way_percent': '年息（%）',
  'latefees.way_fixed': '每次催繳固定金額',
  'latefees.percent': '年息（%）',
  'latefees.fixed': '每次金額',
  'latefees.minimum': '最低金額',
  'latefees.cap': '上限（選填）',
  'latefees.row_help':
    '上限以每張帳單計。費用未達最低金額時不計收，累計達到後才計收。年息以 365 天計。固定金額在催繳啟用時計收。',
  'latefees.row_add': '新增幣別',
  'latefees.row_remove': '移除 {{currency}}',
  'latefees.save': '儲存並啟用',
  'latefees.save_on': '儲存變更',
  'latefees.switch_off': '停用',
  'latefees.switch_off_title': '停用遲延費？',
  'latefees.switch_off_text':
    '所有帳單從今天起不再計收。待出帳的遲延費仍會列入下一張帳單，需要時請逐筆免除。',
  'latefees.saved': '遲延費設定已儲存。',
  'latefees.switched_off': '遲延費已停用。',
} as const satisfies Record<keyof typeof enUS, string>;
