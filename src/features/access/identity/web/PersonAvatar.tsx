// A user's picture in a ring of their role's color; the initial if there is no picture, and until it is
// loaded (R-AUTH-17, R-SHELL-06).
import Avatar from '@mui/material/Avatar';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Id } from '#kernel/ids.ts';
import { useAuthStore, type SessionUser } from '#platform/web/session/auth-store.ts';
import { useEnrolment } from '#platform/web/session/session.ts';
import { identityQueries } from './api.ts';

type Shown = Pick<SessionUser, 'name' | 'role' | 'avatar'>;
type PersonAvatarProps = {
  readonly user: Shown;
  /** Its width and height in pixels. */ readonly size?: number;
};

/** Hidden from screen readers: the user's name is next to it or names the button around it. */
export function PersonAvatar(props: PersonAvatarProps) {
  const { avatar } = props.user;
  return avatar ? <WithPicture {...props} avatarId={avatar} /> : <Round {...props} />;
}

function WithPicture({ avatarId, ...props }: PersonAvatarProps & { avatarId: Id<'avt'> }) {
  const isKnown = useAuthStore((auth) => auth.accessToken !== null);
  const mustEnrol = useEnrolment((enrolment) => enrolment.mustEnrol);
  const { data } = useQuery({
    ...identityQueries.avatar({ avatarId }),
    enabled: isKnown && !mustEnrol,
    staleTime: Infinity,
  });
  return <Round {...props} blob={data?.blob} />;
}

/** A picture in memory; its object URL is revoked when it is no longer shown. */
function Picture({ blob }: { blob: Blob }) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(blob);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [blob],
  );
  return <img ref={show} alt="" style={{ width: '100%', height: '100%', objectFit: 'cover' }} />;
}

function Round({ user, size = 32, blob }: PersonAvatarProps & { blob?: Blob | undefined }) {
  // Red for an Admin, blue for every other role.
  const tone = user.role.trim() === 'Admin' ? 'admin' : 'primary';
  return (
    <Avatar
      aria-hidden
      sx={(theme) => ({
        width: size,
        height: size,
        fontSize: size * 0.5,
        fontWeight: 700,
        color: theme.vars.palette[tone].contrastText,
        backgroundColor: theme.vars.palette[tone].main,
        ...(blob === undefined
          ? { border: `1px solid ${theme.vars.palette.appBar.text}` }
          : {
              border: `2px solid ${theme.vars.palette[tone].main}`,
              boxShadow: `0 0 0 1px ${theme.vars.palette.appBar.text}`,
            }),
      })}
    >
      {blob ? <Picture blob={blob} /> : ([...user.name.trim()][0]?.toLocaleUpperCase() ?? '?')}
    </Avatar>
  );
}
