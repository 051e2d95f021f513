// The style of Traditional Chinese as used in Taiwan: words, characters and punctuation that a sentence must
// not contain.

const banned = [
  '用戶',
  '登錄',
  '設置',
  '創建',
  '搜索',
  '令牌',
  '數據',
  '信息',
  '默認',
  '賬單',
  '激活',
  '鏈接',
  '服務器',
  '保存',
  '自定義',
];
const doubtful = ['訪問', '點擊'];

// Not every simplified character: only those that are common in software texts and never used in Traditional
// Chinese.
const simplified = new Set(
  '们这说时为会个国来对发过还没进开关长门问间见现贝费账单订阅认证录设显实应动务员户总额计价级组织统码复选择删输帮试导听读写书买卖头电话边线点击数据传载软网络页资产权杂历变观闭锁须顺预领题类验创则别办协双启图团场块坏处备够夹学审宽将层属币师带广库废异弃张弹强归当态愿执扩护报拟损断无旧暂术机杀条极构标栏样检残气汇测浏满滚热状独环监盘确础离种积称稳签简紧约纯纳练细终经结给绝继续维绿缓编缩罗职联脑脱节荐获营虑虽补装规视览触让议记许论访评识词译询该详语误请课调谁谢负财责败货质购赠转轮轻较辑达迁运远连迟适递逻遗邮释钟钥钱银链销错键镜队阶际险随隐难静项频风馆',
);

const cjk = '[\\u3400-\\u9fff\\uf900-\\ufaff]';
const besideChinese = new RegExp(`${cjk}\\s*[,.:;?!()]|[,.:;?!()]\\s*${cjk}`, 'u');
const atTheEnd = /[,.:;?!]$/;
// A written-out day ends in 日; elsewhere the style sheet (text-autospace) adds the space.
const gapAfterDay = new RegExp(`\\{\\{(?:date|day)\\}\\} ${cjk}`, 'u');

/** Whether a text contains Chinese characters or Chinese punctuation. */
export function hasChinese(text: string): boolean {
  return /[\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff01-\uff5e]/u.test(text);
}

/**
 * What is wrong with a Chinese sentence, in English; empty when it is good. Placeholders like `{{name}}`
 * count as Latin.
 */
export function chineseErrors(sentence: string): readonly string[] {
  const text = sentence.replace(/\{\{\w+\}\}/g, 'x');
  const problems = banned
    .filter((word) => text.includes(word))
    .map((word) => `${word} is not what Taiwan says (glossary: CONTRIBUTING.md)`);
  const strange = [...new Set(text)].filter((letter) => simplified.has(letter));
  if (strange.length > 0) problems.push(`simplified characters: ${strange.join(' ')}`);
  if (text.includes('...')) problems.push('write … instead of ...');
  else if (besideChinese.test(text) || (hasChinese(text) && atTheEnd.test(text)))
    problems.push('half-width punctuation beside Chinese: use ，。：；？！（）');
  if (gapAfterDay.test(sentence)) problems.push('no space between a day and the Chinese after it');
  return problems;
}

/** Words that are allowed but deserve a second look. */
export function chineseWarnings(sentence: string): readonly string[] {
  return doubtful.filter((word) => sentence.includes(word)).map((word) => `${word}: is there a better word?`);
}
