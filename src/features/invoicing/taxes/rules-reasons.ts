// Why a line has no tax, as documents say it: the words of EN 16931's code list VATEX, and in Chinese.
import type { ExemptionReason, TaxCode } from './contract.ts';

export const exemptionReasons: Readonly<Record<Exclude<TaxCode, 'S' | 'Z'>, ExemptionReason>> = {
  AE: { code: 'VATEX-EU-AE', name: { zhTW: '反向課徵：由買受人申報繳納稅款', enUS: 'Reverse charge' } },
  E: { name: { zhTW: '免稅', enUS: 'Exempt from tax' } },
  K: { code: 'VATEX-EU-IC', name: { zhTW: '歐盟境內供應，免徵加值稅', enUS: 'Intra-community supply' } },
  G: { code: 'VATEX-EU-G', name: { zhTW: '外銷，零稅率', enUS: 'Export, no tax charged' } },
  O: { code: 'VATEX-EU-O', name: { zhTW: '不在課稅範圍', enUS: 'Not subject to VAT' } },
};
