import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { failureMessage } from './toasts.ts';

describe('what a failed call says', () => {
  it('R-API-03 has a word for a failure that says nothing', () => {
    expect(failureMessage(new Error())).toBe('Unknown Error!');
    expect(failureMessage('')).toBe('Unknown Error!');
    expect(failureMessage(new Error('full'))).toBe('full');
  });

  it('is nothing for a cancelled call', () => {
    expect(
      failureMessage(new ApiError({ status: 0, code: 'connection.aborted', message: 'x' })),
    ).toBeUndefined();
    expect(failureMessage(new ApiError({ status: 409, code: 'a.b', message: 'taken' }))).toBe('taken');
  });
});
