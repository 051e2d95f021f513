// Navigates as if a link had been clicked, so that guards for unsaved changes can ask first.
import { useCallback } from 'react';
import { useNavigate } from 'react-router';

export function useFollow(): (path: string) => void {
  const navigate = useNavigate();
  return useCallback(
    (path) => {
      const link = document.createElement('a');
      link.href = path;
      link.hidden = true;
      // A guard that blocks the navigation cancels the click before it arrives here.
      link.addEventListener('click', (event) => {
        event.preventDefault();
        void navigate(path);
      });
      document.body.append(link);
      link.click();
      link.remove();
    },
    [navigate],
  );
}
