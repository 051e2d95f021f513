import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { Fanout, type Hearer } from './broker-fanout.ts';

/** What a hearer got: the texts of the payloads, cut out of their frames. */
class Ear implements Hearer {
  readonly heard: string[] = [];
  readonly writes: number[] = [];
  #onHear: () => void;
  constructor(onHear: () => void = () => undefined) {
    this.#onHear = onHear;
  }
  hear(frames: Buffer): void {
    this.writes.push(frames.length);
    for (const [text] of frames.toString('latin1').matchAll(/\{[^}]*\}/g)) this.heard.push(text);
    this.#onHear();
  }
}
const message = (name: unknown) => JSON.stringify({ name });
const published = (fanout: Fanout, topic: string, text: string) =>
  new Promise<void>((done) => fanout.publish(topic, text, done));

describe('R-NOTE-03: handing out', () => {
  it('gives every hearer of a topic each message once, in order, and nobody else', async () => {
    const fanout = new Fanout();
    const [ears, other] = [Array.from({ length: 5000 }, () => new Ear()), new Ear()];
    for (const ear of ears) fanout.add('a', ear);
    fanout.add('b', other);
    fanout.add('a', ears[0] ?? other);
    expect(fanout.subscriptions).toBe(5001);
    for (let name = 0; name < 20; name++) fanout.publish('a', message(name));
    await published(fanout, 'a', message('last'));
    const expected = [...Array.from({ length: 20 }, (_, name) => message(name)), message('last')];
    for (const ear of ears) expect(ear.heard).toEqual(expected);
    expect(other.heard).toEqual([]);
  });

  it('of equal messages that wait, one goes out; answers all go', async () => {
    const fanout = new Fanout();
    const ear = new Ear();
    fanout.add('a', ear);
    for (let count = 0; count < 50; count++) fanout.publish('a', message('again'));
    await published(fanout, 'a', message('other'));
    expect(ear.heard).toEqual([message('again'), message('other')]);
    await published(fanout, 'a', message('again'));
    for (let count = 0; count < 3; count++) fanout.answer('a', message('answer'));
    expect(ear.heard.slice(2)).toEqual([
      message('again'),
      message('answer'),
      message('answer'),
      message('answer'),
    ]);
  });

  it('a topic of one does not wait for the last of thousands', async () => {
    const fanout = new Fanout();
    // Each write takes a while, as real ones do.
    const slow = Array.from(
      { length: 3000 },
      () =>
        new Ear(() => {
          for (let work = 0; work < 20_000; work++) Math.sqrt(work);
        }),
    );
    for (const ear of slow) fanout.add('all', ear);
    const one = new Ear();
    fanout.add('one', one);
    const all = published(fanout, 'all', message('all'));
    await published(fanout, 'one', message('one'));
    expect(slow.filter((ear) => ear.heard.length > 0).length).toBeLessThan(3000);
    await all;
    expect(slow.every((ear) => ear.heard.length === 1)).toBe(true);
  });

  it('lets other work happen between its turns', async () => {
    const fanout = new Fanout();
    for (let count = 0; count < 3000; count++)
      fanout.add(
        'all',
        new Ear(() => {
          for (let work = 0; work < 20_000; work++) Math.sqrt(work);
        }),
      );
    let turns = 0;
    let isDone = false;
    const all = published(fanout, 'all', message('all')).then(() => (isDone = true));
    while (!isDone) {
      await nextTurn();
      turns++;
    }
    await all;
    expect(turns).toBeGreaterThan(5);
  });

  it('who leaves meanwhile hears no more, and what waits is never more than 64 KB at once', async () => {
    const fanout = new Fanout();
    const leaving = new Ear();
    const first = new Ear(() => fanout.remove('a', leaving));
    fanout.add('a', first);
    fanout.add('a', leaving);
    const long = (name: number) => JSON.stringify({ name, rest: 'x'.repeat(9990) });
    for (let name = 0; name < 50; name++) fanout.publish('a', long(name));
    await published(fanout, 'a', message('last'));
    expect(first.heard).toHaveLength(51);
    expect(Math.max(...first.writes)).toBeLessThanOrEqual(64 * 1024);
    expect(leaving.heard).toEqual([]);
    fanout.remove('a', first);
    expect(fanout.subscriptions).toBe(0);
    await published(fanout, 'a', message('nobody'));
  });

  it('knows which topics had a message lately, heard by somebody or not', async () => {
    const fanout = new Fanout();
    await published(fanout, 'a', message('one'));
    expect(['a', 'b'].map((topic) => fanout.saidLately(topic))).toEqual([expect.any(Number), undefined]);
    vi.useFakeTimers({ toFake: ['performance'], now: 0 });
    vi.advanceTimersByTime(1e9);
    fanout.publish('b', message('two'));
    vi.advanceTimersByTime(14_999);
    expect(['a', 'b'].map((topic) => fanout.saidLately(topic))).toEqual([undefined, 14_999]);
    vi.advanceTimersByTime(2);
    expect(fanout.saidLately('b')).toBeUndefined();
    vi.useRealTimers();
  });
});
