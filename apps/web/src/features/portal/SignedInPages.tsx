import type { PortalLogin, PortalTutor } from '@lessonbook/contract/portal';
import { IconChevronRight } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { PublicButton } from '../../components/PublicButtons.tsx';
import { Toaster } from '../../components/Toaster.tsx';
import { formatList, initials } from '../../lib/format.ts';
import { ContactDetailsPage } from './ContactDetailsPage.tsx';
import { MoneyPage } from './MoneyPage.tsx';
import { NextLessonsPage } from './NextLessonsPage.tsx';
import { NotesPage } from './NotesPage.tsx';
import classes from './Portal.module.css';
import { PortalHeader } from './PortalHeader.tsx';
import { PortalLayout } from './PortalLayout.tsx';
import { PortalLink, portalPaths, usePortalPath } from './portal-router.tsx';
import { addressNoun, portalLoginKey, useSignOut } from './signed-in-contact-api.ts';

interface SignedInProps {
  login: PortalLogin;
  onSignedOut: () => void;
}

/** The pages of a person who is signed in. */
export const SignedInPages = (props: SignedInProps) => (
  <>
    <SignedInPage {...props} />
    <Toaster />
  </>
);

function SignedInPage({ login, onSignedOut }: SignedInProps) {
  const path = usePortalPath();
  useNavigationEffects(path);
  const signOut = useSignOut(onSignedOut);
  const [lastId, setLastId] = useState<string | null>(null);
  const { tutors } = login;
  const opened = tutors.find(({ publicId }) =>
    [portalPaths.lessons, portalPaths.notes, portalPaths.money, portalPaths.details].some(
      (toPath) => toPath(publicId) === path,
    ),
  );
  if (opened && opened.publicId !== lastId) setLastId(opened.publicId);
  const onlyTutor = tutors.length === 1 ? tutors[0] : undefined;
  const last = tutors.find(({ publicId }) => publicId === lastId);
  const navigation = { tutor: last ?? onlyTutor ?? null, hasSeveralTutors: tutors.length > 1 };
  const signOutButton = (
    <PublicButton secondary disabled={signOut.isPending} onClick={() => signOut.mutate()}>
      {signOut.isPending ? 'Signing out...' : 'Sign out'}
    </PublicButton>
  );

  const isDetailsOf = opened && path === portalPaths.details(opened.publicId);
  if (path === portalPaths.ownDetails || isDetailsOf) {
    const tutor = opened ?? navigation.tutor;
    return (
      <ContactDetailsPage
        login={login}
        tutor={tutor}
        navigation={{ ...navigation, tutor, current: 'details' }}
        signOutButton={signOutButton}
      />
    );
  }
  if (tutors.length === 0) {
    return (
      <PortalLayout
        title="No lessons to show"
        header={<PortalHeader {...navigation} current="next" />}
      >
        <p>
          No tutor is sharing lessons with <b>{login.address}</b> at the moment. Ask your tutor to
          check that they have this {addressNoun(login.address)} for you, and that they've given you
          access.
        </p>
        {signOutButton}
      </PortalLayout>
    );
  }
  // The path may belong to another person, or to a tutor who has closed the portal.
  const shown = opened ?? onlyTutor;
  if (shown?.seesNotes && path === portalPaths.notes(shown.publicId)) {
    return (
      <NotesPage
        key={shown.publicId}
        tutor={shown}
        navigation={{ ...navigation, tutor: shown, current: 'notes' }}
      />
    );
  }
  if (shown?.seesMoney && path === portalPaths.money(shown.publicId)) {
    return (
      <MoneyPage
        key={shown.publicId}
        tutor={shown}
        navigation={{ ...navigation, tutor: shown, current: 'money' }}
      />
    );
  }
  if (shown) {
    return (
      <NextLessonsPage
        key={shown.publicId}
        tutor={shown}
        navigation={{ ...navigation, tutor: shown, current: 'next' }}
      />
    );
  }
  return (
    <PortalLayout title="Your tutors">
      <p>Whose lessons would you like to see?</p>
      <TutorList tutors={tutors} />
      <p className={classes.hint}>Each tutor sees only their own lessons with you.</p>
      {signOutButton}
    </PortalLayout>
  );
}

/**
 * Moves focus after navigation, so that keyboard and screen reader users continue from there, and checks the login,
 * which a tutor may have ended.
 */
function useNavigationEffects(path: string) {
  const client = useQueryClient();
  const previousRef = useRef(path);
  useEffect(() => {
    if (previousRef.current === path) return;
    previousRef.current = path;
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    void client.invalidateQueries({ queryKey: portalLoginKey });
  }, [client, path]);
}

function TutorList({ tutors }: { tutors: readonly PortalTutor[] }) {
  return (
    <ul className={classes.tutors}>
      {tutors.map(({ publicId, tutorName, studentNames }) => (
        <li key={publicId}>
          <PortalLink to={portalPaths.lessons(publicId)}>
            <Avatar initials={initials(tutorName)} />
            <span>
              <b>{tutorName}</b>
              <small>{formatList(studentNames)}</small>
            </span>
            <IconChevronRight size={20} stroke={1.8} />
          </PortalLink>
        </li>
      ))}
    </ul>
  );
}
