import { describe, expect, it } from 'vitest';
import { readsLike } from './dismiss-label.ts';

describe('an action that reads like the button that only closes its dialog', () => {
  it.each([
    ['Cancel plan', 'Cancel', true],
    ['取消公告', '取消', true],
    ['サブスクリプションをキャンセル', 'キャンセル', true],
    ['Delete budget', 'Cancel', false],
    ['刪除預算', '取消', false],
  ])('%s beside %s: %s', (action, cancel, expected) => expect(readsLike(action, cancel)).toBe(expected));
});
