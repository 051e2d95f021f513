// Where a line of Chinese, Latin or mixed text may be broken.

const ideographic = /[\u2e80-\u30ff\u3100-\u31ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u;
// 避頭點 and 避尾點: what may not begin a line, and what may not end one.
const neverFirst = /[，。、；：？！）」』】〉》〕｝…‥·・％～,.;:?!)\]}%’”ー々]/u;
const neverLast = /[（「『【〈《〔｛([{‘“＄$￥¥€£#]/u;
// In addresses, paths and identifiers a break after one of these is better than none.
const joints = new Set('/_-@&=.,:;');
// Longer than any word that a reader would miss whole: what is longer is an identifier.
const longestWord = 20;

function mayBreak(before: string, after: string, wordLength: number): boolean {
  if (neverFirst.test(after) || neverLast.test(before)) return false;
  if (ideographic.test(before) || ideographic.test(after)) return true;
  return wordLength > longestWord && joints.has(before);
}

/**
 * The parts of a text without spaces, between which a line may end; joined they are the text again. A word that has grown too long is cut at
 * its joints, and every `longestWord` characters where it has none.
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
