/** A command that was not carried out; the message says what the person can do. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}
