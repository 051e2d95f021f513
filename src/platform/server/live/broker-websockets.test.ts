import fc from 'fast-check';
import { generate } from 'mqtt-packet';
import { describe, expect, it } from 'vitest';
import { PacketLengths } from './broker-websockets.ts';

const packet = (size: number) =>
  generate({ cmd: 'publish', qos: 0, dup: false, retain: false, topic: 'a', payload: 'x'.repeat(size) });

describe('2.G-118: the limit of packets', () => {
  it('allows packets of up to 64 KB, however they are split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(300), fc.nat(65_000)), { maxLength: 5 }),
        fc.integer({ min: 1, max: 70_000 }),
        (sizes, step) => {
          const bytes = Buffer.concat(sizes.map(packet));
          const lengths = new PacketLengths();
          const parts = Math.ceil(bytes.length / step);
          const within = Array.from({ length: parts }, (_, part) =>
            lengths.areWithin(bytes.subarray(part * step, (part + 1) * step)),
          );
          expect(within).not.toContain(false);
        },
      ),
    );
  });

  it('rejects a larger one by its announced length, also behind others, and a length of five bytes', () => {
    const refused = (...parts: Buffer[]) => {
      const lengths = new PacketLengths();
      return parts.findIndex((part) => !lengths.areWithin(part));
    };
    expect(refused(packet(65_533))).toBe(-1);
    expect(refused(packet(65_534))).toBe(0);
    expect(refused(packet(3), Buffer.from([0x10]), Buffer.from([0x80, 0x80]), Buffer.from([0x40]))).toBe(3);
    expect(refused(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0x01]))).toBe(0);
  });
});
