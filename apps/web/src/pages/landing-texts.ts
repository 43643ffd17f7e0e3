import type { IllustrationName } from '../components/Illustration.tsx';

/* The lists on the landing page. A claim is added only once its feature exists. */

export const features: { illustration: IllustrationName; title: string; text: string }[] = [
  {
    illustration: 'schedule',
    title: 'Scheduling',
    text: 'Weekly, fortnightly, monthly or one-off. Drag a lesson to move it, see clashes before you save, and see it all in Google Calendar.',
  },
  {
    illustration: 'pay',
    title: 'Payments',
    text: 'Invoice a whole month in one go. Families pay by card or bank transfer, and cash counts too. Balances are always up to date.',
  },
  {
    illustration: 'talk',
    title: 'Client communication',
    text: 'Send invoices and reminders by WhatsApp or email, in your own words. Reminders can go out automatically, at times you choose.',
  },
  {
    illustration: 'students',
    title: 'Student management',
    text: "Each student's lessons, notes, homework, family and payments on one page, one tap from the lesson you're about to teach.",
  },
  {
    illustration: 'register',
    title: 'Attendance tracking',
    text: 'Mark the day as complete in seconds. Missed, moved and cancelled lessons keep their history, and late cancellations follow your own policy.',
  },
  {
    illustration: 'insight',
    title: 'Financial insights',
    text: "See what you've earned, what's still owed and who owes it. Your records are ready for your tax return.",
  },
];

export const steps: { title: string; text: string }[] = [
  {
    title: 'Add your students',
    text: 'Type them in or import a spreadsheet. A name is enough to start.',
  },
  {
    title: 'Add your lessons',
    text: 'Set a lesson to repeat and the whole term is in your schedule, with your time off left out.',
  },
  {
    title: 'Teach, then mark it as complete',
    text: "Each completed lesson is ready for the family's next invoice. Automatic reminders can follow up late payments.",
  },
];

export const familyPage: { text: string; points: readonly string[] } = {
  text: 'Each family gets a private page. No app to install, and no password to forget: a code by email signs them in.',
  points: [
    'The next lessons of all their children, with first names only',
    'Cancel a lesson or ask to move it, with any fee shown before they decide',
    'Notes and homework, as soon as you share them',
    "What's due and every invoice, to pay by card or bank transfer",
  ],
};

/** Examples, labelled as such on the page: each names a kind of tutor, not a person. */
export const examples: { initials: string; tutor: string; text: string }[] = [
  {
    initials: 'M',
    tutor: 'Maths tutor',
    text: "Twelve families used to mean an evening of invoices every month. Now it's a list to check and one button.",
  },
  {
    initials: 'P',
    tutor: 'Piano teacher',
    text: 'A parent asks to move Thursday. The request already says which times are free. I accept one, and they have the new time.',
  },
  {
    initials: '11+',
    tutor: '11+ tutor',
    text: 'I never liked chasing money. A polite reminder goes out after three days, in my own words.',
  },
];

export const privacyPoints: { title: string; text: string }[] = [
  {
    title: 'Only you see your records',
    text: "No other tutor can see your students. A family's page shows their own children, by first name only.",
  },
  {
    title: 'Two-step login',
    text: "Protect your account with a passkey or an authenticator app, see where you're logged in, and log out everywhere at once.",
  },
  {
    title: 'Cards stay with Stripe',
    text: 'Card details go straight to Stripe. We never see or store the number.',
  },
  {
    title: 'No tracking',
    text: 'No adverts and no selling of data. Our cookies only keep you logged in and your account safe.',
  },
  {
    title: 'Take it with you',
    text: 'Export all your records as spreadsheets whenever you like. You can delete your account yourself.',
  },
  {
    title: 'Nothing disappears quietly',
    text: 'A payment recorded by mistake is reversed, and an issued invoice is corrected with a credit note, so your records stay complete.',
  },
];

export const questions: { question: string; answer: string }[] = [
  {
    question: 'What happens after 14 days?',
    answer:
      "You carry on. Lessonbook is free for now, so nothing is locked, nothing is charged and there's nothing to cancel. We never ask for a credit card during the trial.",
  },
  {
    question: 'Will messages go to families without me?',
    answer:
      'Reminders are only sent once you switch them on, at times you choose. Notes that you share are emailed once a day, and families get the codes they sign in with. Lessonbook also sends a correction if a lesson changes after a family has heard about it, and an email when a card payment is received, refunded, disputed or fails. Everything else waits until you press Send.',
  },
  {
    question: 'Can I bring my students from a spreadsheet?',
    answer: 'Yes. Upload a CSV file and check the preview. Nothing is saved until you confirm it.',
  },
  {
    question: 'Does it work with Google Calendar?',
    answer:
      'Yes. Your lessons appear in your calendar, and you can apply changes you make there to the lesson here.',
  },
  {
    question: 'Do families have to pay by card?',
    answer:
      'No. Bank transfer and cash work just as well. Card payments are optional, use your own Stripe account, and Stripe charges its usual fee.',
  },
  {
    question: 'Does it work on my phone?',
    answer:
      'Yes, in the browser of any phone, tablet or computer. You can also add it to your home screen.',
  },
  {
    question: 'Does Lessonbook file my tax return?',
    answer: 'No. It keeps the records you need and exports them for you or your accountant.',
  },
];
