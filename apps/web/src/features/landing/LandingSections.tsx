import { Illustration } from '../../components/Illustration.tsx';
import buttons from './buttons.module.css';
import { features, questions, testimonials } from './content.ts';
import classes from './LandingSections.module.css';

export function CallToAction() {
  return (
    <section className={classes.callToAction} aria-labelledby="start-heading">
      <h2 id="start-heading">Open a fresh page.</h2>
      <p>Try it for 14 days with your own timetable. Nothing to pay, nothing to cancel.</p>
      <a href="/signup" className={buttons.yellow}>
        Start your free trial
      </a>
      <svg viewBox="0 0 400 300" aria-hidden="true">
        <path d="M40 180c60 34 96 78 118 108C190 176 266 84 372 22" />
      </svg>
    </section>
  );
}

export function Testimonials() {
  return (
    <section className={classes.section} aria-labelledby="testimonials-heading">
      <h2 id="testimonials-heading">What a book like this changes</h2>
      <p className={classes.note}>
        Illustrative: these are the words of no real customer, but of the tutors we had in mind.
      </p>
      <div className={classes.quotes}>
        {testimonials.map(({ quote, tutor, teaches }) => (
          <figure key={tutor}>
            <blockquote>{quote}</blockquote>
            <figcaption>
              <b>{tutor}</b>
              {teaches}
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}

export function Features() {
  return (
    <section id="features" className={classes.features} aria-labelledby="features-heading">
      <h2 id="features-heading">What is in the book</h2>
      <ul>
        {features.map(({ illustration, title, text }) => (
          <li key={title}>
            <Illustration name={illustration} />
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Questions and privacy; the footer links here. */
export function Faq() {
  return (
    <div className={classes.columns}>
      <section id="questions" aria-labelledby="questions-heading">
        <h2 id="questions-heading">Questions</h2>
        <dl>
          {questions.map(({ question, answer }) => (
            <div key={question}>
              <dt>{question}</dt>
              <dd>{answer}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section id="privacy" aria-labelledby="privacy-heading">
        <h2 id="privacy-heading">Privacy</h2>
        <p>
          Your book is yours: each tutor sees their own students, lessons and money, and nobody
          else’s.
        </p>
        <p>
          We set one cookie, which keeps you logged in. There is no advertising, no tracking, and
          nothing is loaded from anybody else’s servers.
        </p>
        <p>Families see first names only, and nothing reaches them that you have not sent.</p>
      </section>
    </div>
  );
}
