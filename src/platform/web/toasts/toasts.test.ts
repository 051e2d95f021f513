import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { failureMessage } from './toasts.ts';

describe('the message of a failed call', () => {
  it('R-API-03 exists for a failure without one', () => {
    expect(failureMessage(new Error())).toBe('Unknown Error!');
    expect(failureMessage('')).toBe('Unknown Error!');
    expect(failureMessage(new Error('full'))).toBe('full');
  });

  it('does not exist for a canceled call', () => {
    expect(
      failureMessage(new ApiError({ status: 0, code: 'connection.aborted', message: 'x' })),
    ).toBeUndefined();
    expect(failureMessage(new ApiError({ status: 409, code: 'a.b', message: 'taken' }))).toBe('taken');
  });
});
