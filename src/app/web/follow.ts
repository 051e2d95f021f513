// Goes to a page as if its link had been clicked, so that whatever guards unsaved changes is asked first.
import { useCallback } from 'react';
import { useNavigate } from 'react-router';

export function useFollow(): (path: string) => void {
  const navigate = useNavigate();
  return useCallback(
    (path) => {
      const link = document.createElement('a');
      link.href = path;
      link.hidden = true;
      // Whoever objects does so before the click arrives here.
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
