import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { dismissToast, toast, useToastStore, visibleToasts } from './toasts.ts';

const visible = (channel: 'results' | 'alerts') =>
  visibleToasts(useToastStore.getState().toasts, channel).map((one) => one.message);

describe('R-SHELL-15 toasts', () => {
  beforeEach(() => useToastStore.setState({ toasts: [], past: [] }));

  it('shows three results at once and queues the rest in order', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'].map((message) => toast.success(message));
    expect(visible('results')).toEqual(['a', 'b', 'c']);
    dismissToast(ids[1] ?? 0);
    expect(visible('results')).toEqual(['a', 'c', 'd']);
  });

  it('shows five alerts at once, apart from the results', () => {
    for (const message of ['1', '2', '3', '4', '5', '6']) toast.alert('warning', message);
    toast.success('own');
    expect(visible('alerts')).toEqual(['1', '2', '3', '4', '5']);
    expect(visible('results')).toEqual(['own']);
  });

  it('R-API-03 has a word for a failure that says nothing', () => {
    toast.failure(new Error());
    toast.failure('');
    toast.failure(new Error('full'));
    expect(visible('results')).toEqual(['Unknown Error!', 'full']);
  });

  it('says the same thing once, unless it can be acted on', () => {
    toast.error('lost');
    toast.error('lost');
    toast.success('deleted', { label: 'undo', onClick: () => undefined });
    toast.success('deleted', { label: 'undo', onClick: () => undefined });
    expect(visible('results')).toEqual(['lost', 'deleted', 'deleted']);
  });

  it('says nothing about a cancelled call', () => {
    toast.failure(new ApiError({ status: 0, code: 'connection.aborted', message: 'x' }));
    toast.failure(new ApiError({ status: 409, code: 'a.b', message: 'taken' }));
    expect(visible('results')).toEqual(['taken']);
  });

  it('keeps what was said, the dropped ones of a storm too, once each', () => {
    for (let n = 1; n <= 120; n++) toast.alert('info', String(n));
    const id = toast.success('own');
    dismissToast(id);
    toast.error('lost');
    toast.error('lost');
    expect(useToastStore.getState().toasts.length).toBeLessThanOrEqual(50);
    expect(useToastStore.getState().past.map((one) => one.message)).toEqual([
      ...Array.from({ length: 120 }, (_, index) => String(index + 1)),
      'own',
      'lost',
    ]);
  });
});
