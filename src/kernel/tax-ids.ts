// Tax ids of Taiwanese companies.

/**
 * Whether a text is a valid Taiwanese 統一編號: 8 digits with weights 1 2 1 2 1 2 4 1. The digit sum of all
 * products must be divisible by 5; when the seventh digit is 7, that sum plus one may be instead (the rule of
 * 2023; domain.md, "Taiwan").
 */
export function isTaxId(text: string): boolean {
  if (!/^\d{8}$/.test(text) || text === '00000000') return false;
  const weights = [1, 2, 1, 2, 1, 2, 4, 1];
  let sum = 0;
  for (const [index, weight] of weights.entries()) {
    const product = Number.parseInt(text[index] ?? '0', 10) * weight;
    sum += Math.floor(product / 10) + (product % 10);
  }
  return sum % 5 === 0 || (text[6] === '7' && (sum + 1) % 5 === 0);
}
