import type { PortalLogin, PortalTutor } from '@lessonbook/contract/portal';
import { ContactDetailsAndReminders } from './ContactDetailsAndReminders.tsx';
import classes from './ContactDetailsContent.module.css';
import { SignedInBrowsers } from './SignedInBrowsers.tsx';
import { addressNoun } from './signed-in-contact-api.ts';

interface Props {
  login: PortalLogin;
  /** Null for a person who has to choose a tutor. */
  tutor: PortalTutor | null;
}

/** What the tutor has on file about the person, their reminders, and the browsers that are signed in. */
export const ContactDetailsContent = ({ login, tutor }: Props) => (
  <>
    {tutor ? (
      <ContactDetailsAndReminders key={tutor.publicId} login={login} tutor={tutor} />
    ) : (
      <section className={classes.section}>
        <h2>Signed in as</h2>
        <p className={classes.card}>{login.address}</p>
      </section>
    )}
    <section className={classes.section}>
      <h2>Signed-in browsers</h2>
      <SignedInBrowsers />
      <p className={classes.hint}>
        {login.isSharedDevice
          ? "You'll be signed out when you close this browser."
          : `You're signed in with your ${addressNoun(login.address)} on these browsers. Sign out of any you don't recognise.`}
      </p>
    </section>
  </>
);
