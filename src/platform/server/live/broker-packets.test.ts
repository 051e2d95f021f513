import fc from 'fast-check';
import { generate } from 'mqtt-packet';
import { describe, expect, it } from 'vitest';
import {
  isMqttText,
  Malformed,
  maxPacketBytes,
  messageFrame,
  PacketAssembler,
  readPacket,
} from './broker-packets.ts';

const publish = (topic: string, payload: Buffer) =>
  generate({ cmd: 'publish', qos: 0, dup: false, retain: false, topic, payload });

describe('2.G-118: packets of a connection', () => {
  it('are the same however they are cut into pieces, and each is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.stringMatching(/^[a-z/]{1,20}$/), fc.uint8Array({ maxLength: 300 })), {
          maxLength: 8,
        }),
        fc.array(fc.nat(40), { maxLength: 60 }),
        (messages, cuts) => {
          const all = Buffer.concat(messages.map(([topic, payload]) => publish(topic, Buffer.from(payload))));
          const assembler = new PacketAssembler();
          const whole: Buffer[] = [];
          let at = 0;
          for (const cut of [...cuts, all.length]) {
            whole.push(...assembler.take(all.subarray(at, at + cut)));
            at += cut;
          }
          expect(
            whole
              .map((bytes) => readPacket(bytes))
              .map((packet) =>
                packet.cmd === 'publish' ? [packet.topic, Buffer.from(packet.payload)] : packet.cmd,
              ),
          ).toEqual(messages.map(([topic, payload]) => [topic, Buffer.from(payload)]));
        },
      ),
    );
  });

  it('is refused by the length that it announces, before any of it is kept, and not one byte earlier', () => {
    const head = (length: number) =>
      Buffer.from([0x30, (length & 127) | 128, ((length >> 7) & 127) | 128, length >> 14]);
    expect(new PacketAssembler().take(head(maxPacketBytes))).toEqual([]);
    expect(() => new PacketAssembler().take(head(maxPacketBytes + 1))).toThrow(Malformed);
    const one = new PacketAssembler();
    for (const byte of [0x30, 0xff, 0xff]) one.take(Buffer.from([byte]));
    expect(() => one.take(Buffer.from([0xff]))).toThrow(Malformed);
  });

  it('a bad one does not spoil the next, whoever sent it', () => {
    const good = generate({ cmd: 'subscribe', messageId: 5, subscriptions: [{ topic: 'a', qos: 0 }] });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (noise) => {
        try {
          readPacket(Buffer.from([0x30 | ((noise[0] ?? 0) & 15), noise.length, ...noise]));
        } catch (error) {
          expect(error).toBeInstanceOf(Malformed);
        }
        expect(readPacket(good)).toMatchObject({
          cmd: 'subscribe',
          messageId: 5,
          subscriptions: [{ topic: 'a', qos: 0 }],
        });
      }),
    );
  });

  it.each([
    ['', false],
    ['a', true],
    ['組織', true],
    ['a\0', false],
    [Buffer.from([0xff]).toString(), false],
  ])('%j as a text of MQTT: %s', (text, right) => expect(isMqttText(text)).toBe(right));
});

describe('a message as it goes to every hearer', () => {
  it.each([0, 100, 119, 120, 121, 1000, 65_000, 65_529, 65_530, 65_531, 70_000])(
    'is one whole websocket frame with one packet: %i bytes',
    (length) => {
      const frame = messageFrame('a/b', 'x'.repeat(length));
      // RFC 6455, section 5.2: final, binary, unmasked; 7, 16 or 64 bits of length.
      const short = frame[1] ?? 0;
      const [size, head] =
        short < 126
          ? [short, 2]
          : short === 126
            ? [frame.readUInt16BE(2), 4]
            : [Number(frame.readBigUInt64BE(2)), 10];
      expect([frame[0], size]).toEqual([0x82, frame.length - head]);
      expect(head).toBe(size < 126 ? 2 : size < 65_536 ? 4 : 10);
      expect(frame.subarray(head)).toEqual(publish('a/b', Buffer.from('x'.repeat(length))));
    },
  );
});
