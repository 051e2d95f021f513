import { describe, expect, it } from 'vitest';
import { closeTopDialog, dialogOpened } from './open-dialogs.ts';

describe('T-APPROVE a call that waits', () => {
  it('closes the top dialog, and what is below stays', () => {
    const closed: string[] = [];
    const below = dialogOpened(() => closed.push('below'));
    const top = dialogOpened(() => closed.push('top'));
    closeTopDialog();
    expect(closed).toEqual(['top']);
    top();
    closeTopDialog();
    expect(closed).toEqual(['top', 'below']);
    below();
  });

  it('closes nothing when the open dialog has gone, in either order', () => {
    const closed: string[] = [];
    const first = dialogOpened(() => closed.push('first'));
    const second = dialogOpened(() => closed.push('second'));
    first();
    closeTopDialog();
    second();
    second();
    closeTopDialog();
    expect(closed).toEqual(['second']);
  });
});
