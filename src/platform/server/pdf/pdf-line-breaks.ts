// Line breaking for Chinese, Latin and mixed text.

const ideographic = /[\u2e80-\u30ff\u3100-\u31ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u;
// 避頭點 and 避尾點: characters that must not start a line, and characters that must not end one.
const neverFirst = /[，。、；：？！）」』】〉》〕｝…‥·・％～,.;:?!)\]}%’”ー々]/u;
const neverLast = /[（「『【〈《〔｛([{‘“＄$￥¥€£#]/u;
// Addresses, paths and identifiers may break after one of these.
const joints = new Set('/_-@&=.,:;');
// Longer than any ordinary word, so a longer one is an identifier.
const longestWord = 20;

function mayBreak(before: string, after: string, wordLength: number): boolean {
  if (neverFirst.test(after) || neverLast.test(before)) return false;
  if (ideographic.test(before) || ideographic.test(after)) return true;
  return wordLength > longestWord && joints.has(before);
}

/**
 * Splits a text without spaces into parts between which a line may break; concatenated, they give the text. A
 * word that is too long is split at its joints, and every `longestWord` characters where it has none.
 */
export function lineParts(text: string): string[] {
  const word = [...text];
  const pieces: string[] = [];
  let piece = '';
  word.forEach((character, index) => {
    piece += character;
    const after = word[index + 1];
    if (after !== undefined && (mayBreak(character, after, word.length) || piece.length >= longestWord)) {
      pieces.push(piece);
      piece = '';
    }
  });
  return piece === '' ? pieces : [...pieces, piece];
}
