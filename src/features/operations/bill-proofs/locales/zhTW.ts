// Texts of proofs of bills in Traditional Chinese.
export const zhTW = {
  // Errors
  'billproofs.bill_not_found': '找不到這張帳單。請從帳單清單重新開啟。',
  // The button
  'billproofs.open': '自行驗算',
  // The dialog
  'billproofs.title': '驗算 {{number}}',
  'billproofs.holds':
    '檔案裡有這張帳單、各行的價格與用量事件，都附上簽章，還有一支離線程式，會從事件重新算出每一行。',
  'billproofs.commands': '驗算指令',
  'billproofs.says':
    '只需要 Node.js 20 以上，不會連線。每一行會顯示「same」（相同）、「differs」（不同）或「not recomputed」（無法驗算及原因），最後是整張帳單的結論。',
  'billproofs.keys': '程式與本系統沒有共用任何程式碼。簽章用的公開金鑰可在 /api/licenses/public-keys 比對。',
  'billproofs.download': '下載驗算檔',
  'billproofs.close': '關閉',
} as const;
