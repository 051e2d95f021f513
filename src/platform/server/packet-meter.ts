// Measures MQTT packets as they arrive, so that a huge one is refused by what it announces, before any of it is kept.

/**
 * Makes a watcher of one connection's bytes: false as soon as a packet announces more than `most` bytes or a length that
 * MQTT does not allow. However the packets are cut into pieces, it sees the same.
 */
export function packetMeter(most: number): (bytes: Uint8Array) => boolean {
  // How many bytes of the present packet are still to come; while its head is read, the length so far.
  let left = 0;
  let headByte = 0;
  let length = 0;
  return (bytes) => {
    let at = 0;
    while (at < bytes.length) {
      if (left > 0) {
        const skipped = Math.min(left, bytes.length - at);
        left -= skipped;
        at += skipped;
        continue;
      }
      const byte = bytes[at++] ?? 0;
      if (headByte > 0) length += (byte & 127) * 128 ** (headByte - 1);
      headByte++;
      if (headByte === 1) continue;
      if (length > most || (headByte === 5 && byte > 127)) return false;
      if (byte > 127) continue;
      left = length;
      headByte = 0;
      length = 0;
    }
    return true;
  };
}
