import type { PortalTutor } from '@lessonbook/contract/portal';
import {
  IconArrowsExchange,
  IconCalendar,
  IconChevronRight,
  IconNotebook,
  IconUser,
  IconWallet,
} from '@tabler/icons-react';
import { Avatar } from '../../components/Avatar.tsx';
import { Logo } from '../../components/Logo.tsx';
import { formatList, initials } from '../../lib/format.ts';
import classes from './PortalLayout.module.css';
import { PortalLink, portalPaths } from './portal-router.tsx';

export interface PortalNavigation {
  current: 'next' | 'notes' | 'money' | 'details';
  /** Null if the person has no tutor, or has to choose one. */
  tutor: PortalTutor | null;
  hasSeveralTutors: boolean;
}

/** Shows which tutor the page belongs to, and the navigation. */
export function PortalHeader(navigation: PortalNavigation) {
  const { tutor, hasSeveralTutors } = navigation;
  return (
    <>
      {tutor ? <TutorName {...tutor} /> : <Logo />}
      {hasSeveralTutors && (
        <PortalLink to={portalPaths.tutors} className={classes.switch}>
          <IconArrowsExchange size={20} stroke={1.8} />
          Switch tutor
        </PortalLink>
      )}
      <Navigation {...navigation} />
      {tutor?.hasAgreementToAccept && navigation.current !== 'details' && (
        <PortalLink to={portalPaths.details(tutor.publicId)} className={classes.agreement}>
          <span>{tutor.tutorName} has asked you to read and accept an agreement</span>
          <IconChevronRight size={20} stroke={1.8} />
        </PortalLink>
      )}
    </>
  );
}

function TutorName({ tutorName, studentNames }: PortalTutor) {
  return (
    <div className={classes.tutor}>
      <Avatar initials={initials(tutorName)} />
      <p>
        <b>{tutorName}</b>
        <small>{formatList(studentNames)}</small>
      </p>
    </div>
  );
}

/** At the bottom of the screen on phones. */
function Navigation({ current, tutor }: PortalNavigation) {
  const next = tutor ? portalPaths.lessons(tutor.publicId) : portalPaths.home;
  return (
    <nav className={classes.navigation} aria-label="Family portal">
      <PortalLink to={next} aria-current={current === 'next' ? 'page' : undefined}>
        <IconCalendar size={20} stroke={1.8} />
        Next
      </PortalLink>
      {tutor?.seesNotes && (
        <PortalLink
          to={portalPaths.notes(tutor.publicId)}
          aria-current={current === 'notes' ? 'page' : undefined}
        >
          <IconNotebook size={20} stroke={1.8} />
          Notes
        </PortalLink>
      )}
      {tutor?.seesMoney && (
        <PortalLink
          to={portalPaths.money(tutor.publicId)}
          aria-current={current === 'money' ? 'page' : undefined}
        >
          <IconWallet size={20} stroke={1.8} />
          Money
        </PortalLink>
      )}
      <PortalLink
        to={tutor ? portalPaths.details(tutor.publicId) : portalPaths.ownDetails}
        aria-current={current === 'details' ? 'page' : undefined}
      >
        <IconUser size={20} stroke={1.8} />
        Details
      </PortalLink>
    </nav>
  );
}
