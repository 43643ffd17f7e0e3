import classes from './Answers.module.css';
import { questions } from './content.ts';

/** What people ask before they sign up, and what happens to their data: the footer leads here. */
export function Answers() {
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
