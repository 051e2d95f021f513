// Why a company's provider's answer signs nobody in.

/** An answer that is refused, with the reason for the audit log and for the Admin who tests the provider. */
export class AnswerRefused extends Error {
  readonly isLate: boolean;
  /** The provider itself said that it signs nobody in. */
  readonly isStatus: boolean;
  constructor(reason: string, is: { readonly late?: boolean; readonly status?: boolean } = {}) {
    super(reason);
    this.name = 'AnswerRefused';
    this.isLate = is.late ?? false;
    this.isStatus = is.status ?? false;
  }
}
