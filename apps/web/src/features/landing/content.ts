import type { IllustrationName } from '../../components/Illustration.tsx';

/* Text for the lists on the landing page, so that it can be changed without editing a component. */

export const features: { illustration: IllustrationName; title: string; text: string }[] = [
  {
    illustration: 'schedule',
    title: 'Scheduling',
    text: 'One-off or repeating lessons, weekly, fortnightly or monthly, and they follow you to your own calendar.',
  },
  {
    illustration: 'pay',
    title: 'Payments',
    text: 'Note down cash and transfers, or let families pay by card. The balance is always right.',
  },
  {
    illustration: 'talk',
    title: 'Client communication',
    text: 'Invoices and gentle reminders go out by WhatsApp and e-mail, in your words.',
  },
  {
    illustration: 'students',
    title: 'Student management',
    text: 'Every student, their carer, their subject and your notes, one tap from the lesson.',
  },
  {
    illustration: 'register',
    title: 'Attendance tracking',
    text: 'Tick a lesson off when it is done. Missed and moved lessons keep their history.',
  },
  {
    illustration: 'insight',
    title: 'Financial insights',
    text: 'See what you earned last month, and what is still owed to you.',
  },
];

/**
 * Illustrative, and labelled as such on the page: each names a kind of tutor, not a person. To be replaced with real
 * testimonials.
 */
export const testimonials: { quote: string; tutor: string; teaches: string }[] = [
  {
    quote:
      'I used to do my invoices on Sunday nights. Now the book does them while I put the kettle on.',
    tutor: 'A maths tutor',
    teaches: 'GCSE and A-level, evenings',
  },
  {
    quote: 'Moving a lesson takes a moment, and the family knows before I have put my phone down.',
    tutor: 'A piano teacher',
    teaches: 'Children and adults, at home',
  },
  {
    quote: 'For the first time I know exactly who has paid, without a spreadsheet.',
    tutor: 'An 11+ tutor',
    teaches: 'Small groups, weekends',
  },
];

export const questions: { question: string; answer: string }[] = [
  {
    question: 'What does the trial cost?',
    answer:
      'Nothing. The 14-day free trial needs no credit card, and nothing is charged when it ends.',
  },
  {
    question: 'How do families hear from me?',
    answer:
      'By WhatsApp or e-mail. You read every text first, and nothing goes out before you say so.',
  },
  {
    question: 'Do families have to pay by card?',
    answer: 'No. Record cash and bank transfers yourself, and switch card payments on if you like.',
  },
  {
    question: 'Does it work on my phone?',
    answer: 'Yes. The book opens in the browser of any phone, tablet or computer.',
  },
];
