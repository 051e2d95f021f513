// The error for a rejected answer of a company's identity provider.

/** A rejected answer, with the reason for the audit log and for the Admin who tests the provider. */
export class AnswerRefused extends Error {
  readonly isLate: boolean;
  /** Whether the provider itself reported that it did not sign the person in. */
  readonly isStatus: boolean;
  constructor(reason: string, is: { readonly late?: boolean; readonly status?: boolean } = {}) {
    super(reason);
    this.name = 'AnswerRefused';
    this.isLate = is.late ?? false;
    this.isStatus = is.status ?? false;
  }
}
